import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';

interface Manifest {
  readonly dependencies: Record<string, string>;
}

describe('what the service imports', () => {
  it('is installed without development dependencies; what describes the routes runs in development alone', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    const missing = new Set<string>();
    let imports = 0;
    for (const file of globSync(['src/**/*.{ts,tsx}', 'config/**/*.ts'])) {
      if (file.startsWith('src/openapi/')) continue;
      for (const [, name] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export) (?!type )[^;]*?from '([^.'][^']*)';/gms,
      )) {
        const packageName = name!.split('/', name!.startsWith('@') ? 2 : 1).join('/');
        imports += 1;
        if (!isBuiltin(name!) && dependencies[packageName] === undefined) missing.add(`${packageName} in ${file}`);
      }
    }
    expect(imports).toBeGreaterThan(300);
    expect([...missing]).toEqual([]);
  });
});
