import { LatestRead } from '../../../src/common/concurrency/latest-read';

describe('a reading of the latest', () => {
  /** Readings that end when the test says so. */
  function readings() {
    const begun: { resolve(value: string): void; reject(error: Error): void }[] = [];
    const read = () => new Promise<string>((resolve, reject) => begun.push({ resolve, reject }));
    return { begun, latest: new LatestRead(read) };
  }

  it('is shared by all who ask while another is under way, and begins after they have asked', async () => {
    const { begun, latest } = readings();
    const first = latest.get();
    const later = [latest.get(), latest.get()];
    expect(begun).toHaveLength(1);
    begun[0]!.resolve('old');
    expect(await first).toBe('old');
    await new Promise(setImmediate);
    expect(begun).toHaveLength(2);
    begun[1]!.resolve('new');
    expect(await Promise.all(later)).toEqual(['new', 'new']);
    void latest.get();
    expect(begun).toHaveLength(3);
  });

  it('goes on after one that failed, whose error only those get who waited for it', async () => {
    const { begun, latest } = readings();
    const first = latest.get();
    const second = latest.get();
    begun[0]!.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await new Promise(setImmediate);
    begun[1]!.resolve('up');
    expect(await second).toBe('up');
  });
});
