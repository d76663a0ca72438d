import { Logger } from '@nestjs/common';
import { BeginComparing } from '../../../src/chain/verified-chain/begin-comparing';
import type { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import type { DatabaseIdentity } from '../../../src/database/identity/database-identity';

describe('a database that may lack its latest rows', () => {
  it('is said to be compared each time, and once each time that the chain is behind its clock', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    let begins = false;
    const identity = { needsComparing: () => Promise.resolve(true), beginComparing: () => Promise.resolve(begins) };
    const blocks = { rememberedNumber: () => 7, lastHead: () => ({ number: 9 }) };
    const comparing = new BeginComparing(identity as unknown as DatabaseIdentity, blocks as unknown as ReferenceBlocks);
    for (begins of [false, false, true, false, false]) await comparing.beginIfNeeded(0);
    const said = warned.mock.calls.map(([text]) => (String(text).includes('is compared') ? 'compared' : 'behind'));
    expect(said).toEqual(['behind', 'compared', 'behind']);
    warned.mockRestore();
  });
});
