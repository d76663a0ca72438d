import { readFileSync } from 'node:fs';
import { sourceFiles } from '../../structure/import-graph';

const PASSED_ON = /<[A-Z]\w*\b[^<>]*?\s(?:visit|locale|messages)=\{/g;
const SPREAD = /\{\.\.\.\{[^}]*\b(?:visit|locale|messages)\b/g;

describe('the components of the panel', () => {
  it('read their page, its language and its texts by hook: only the layout takes them as a prop', () => {
    const templates = sourceFiles().filter((file) => /^src\/panel\/.*\.tsx$/.test(file));
    expect(templates.length).toBeGreaterThan(100);
    const found = templates.flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return [...(text.match(PASSED_ON) ?? []), ...(text.match(SPREAD) ?? [])].map((use) => `${file}: ${use}`);
    });
    expect(found).toEqual(['src/panel/layout/render-page.tsx: <Layout visit={']);
  });
});
