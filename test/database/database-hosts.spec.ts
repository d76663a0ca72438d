import { DatabaseHosts } from '../../src/database/database-hosts';

describe('the hosts of a database', () => {
  it('are passed over once by all connections that fail at one together, and begin again after the last', () => {
    const hosts = DatabaseHosts.of('postgres://user:secret@one:5432,two:5432/energy');
    const at = () => new URL(hosts.current).hostname;
    expect([hosts.count, at()]).toEqual([2, 'one']);
    const failed = hosts.current;
    for (let connection = 0; connection < 4; connection++) hosts.passOver(failed);
    expect(at()).toBe('two');
    hosts.passOver(hosts.current);
    expect(at()).toBe('one');
  });
});
