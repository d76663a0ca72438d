import { globSync, readFileSync } from 'node:fs';

describe('named statements', () => {
  it('have names of their own: a connection refuses a second text under one name', () => {
    const places = new Map<string, string[]>();
    for (const file of globSync('src/**/*.ts')) {
      for (const [, name] of readFileSync(file, 'utf8').matchAll(/name: '([\w-]+)',\s+text:/g)) {
        places.set(name!, [...(places.get(name!) ?? []), file]);
      }
    }
    expect(places.size).toBeGreaterThan(100);
    expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
  });
});
