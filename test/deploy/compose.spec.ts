import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGE = read('docs/operations.md');
const COMPOSE = read('compose.yaml');
const FORM = /`docker compose run ([^`]*?) (service-\d) (node [^`]+)`/g;

/** A restore runs its commands before any instance starts, and wrong settings keep a container restarting: `exec` refuses both times. */
describe('a command in compose while no instance runs', () => {
  const instances = [...COMPOSE.matchAll(/^ {2}([\w-]+):(?: \*service$|\n {4}<<: \*service$)/gm)].map(
    ([, name]) => name!,
  );
  const introduction = PAGE.slice(0, PAGE.indexOf('\n## '));
  const restore = PAGE.slice(PAGE.indexOf('**To restore.**'), PAGE.indexOf('## Troubleshooting'));

  it.each([
    ['the introduction', introduction],
    ['the steps of a restore', restore],
  ])('has a form without exec in %s, which starts nothing else', (_, text) => {
    const forms = [...text.matchAll(FORM)];
    expect(forms).not.toEqual([]);
    for (const [, options, service, program] of forms) {
      expect(instances).toContain(service);
      expect(options!.split(' ').toSorted()).toEqual(['--no-deps', '--rm', '-T']);
      expect(introduction).toContain(`\`docker compose exec ${service} ${program}\``);
    }
  });

  it('comes after every instance is stopped, where a restore begins', () => {
    const stop = restore.indexOf(`\`docker compose stop ${instances.join(' ')}\``);
    expect(stop).toBeGreaterThan(0);
    expect(restore.search(FORM)).toBeGreaterThan(stop);
  });

  it('takes the place of the service, with its settings and keys, and collides with no instance', () => {
    const image = read('Dockerfile');
    const program = /^CMD \["node", "(\S+)\/main\.js"\]$/m.exec(image)![1]!;
    for (const [, , , command] of PAGE.matchAll(FORM)) expect(command).toBe(`node ${program}/cli/main.js`);
    expect(image).not.toMatch(/^ENTRYPOINT/m);
    const service = COMPOSE.slice(COMPOSE.indexOf('x-service:'), COMPOSE.indexOf('\nservices:'));
    expect(service).toContain('\n    - ./keys:/keys:ro\n');
    expect(service).not.toMatch(/^ {2}(entrypoint|command|container_name|ports):/m);
  });
});
