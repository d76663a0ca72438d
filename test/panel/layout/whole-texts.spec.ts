import { readFileSync } from 'node:fs';
import { sourceFiles } from '../../structure/import-graph';

/** A text that goes on in an element, or two texts in one string: the order of words is a language's own. */
const GLUED = [
  /\{(?:\w*[mM]essages|names|money|business)\.[\w.[\]]+\}(?:\{' '\})?\s*<(?:Instant|LongId|Trx|code|strong|em)\b/g,
  /\$\{(?:\w*[mM]essages|names|money|business)\.[^`]*\$\{(?:\w*[mM]essages|names|money|business)\./g,
];

function gluedIn(source: string): string[] {
  return GLUED.flatMap((shape) => source.match(shape) ?? []);
}

describe('a text of the panel', () => {
  it('is whole: what stands within it is a slot of its own', () => {
    const templates = sourceFiles().filter((file) => /^src\/panel\/.*\.tsx$/.test(file));
    expect(templates.length).toBeGreaterThan(100);
    const found = templates.flatMap((file) => gluedIn(readFileSync(file, 'utf8')).map((use) => `${file}: ${use}`));
    expect(found).toEqual([]);
  });

  it.each([
    '{messages.since} <Instant at={at} />',
    '{names.rests}{\' \'}\n <LongId value="" />',
    '`${messages.one} ${messages.other}`',
  ])('is found where it is glued: %s', (source) => {
    expect(gluedIn(source)).toHaveLength(1);
  });
});
