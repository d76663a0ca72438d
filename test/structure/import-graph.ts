import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { WORKSPACES } from './rooms';

const ROOT = join(__dirname, '../..');

/** A file imports another, or a package; type imports count like others. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

export function sourceFiles(): string[] {
  const under = ['src', 'config', ...WORKSPACES].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return under.filter((name) => /\.tsx?$/.test(name)).toSorted();
}

/** Reads the imports of all files, by path from the root; packages by their names. */
export function readImports(): Import[] {
  return sourceFiles().flatMap((from) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(ROOT, from), 'utf8'), true, true);
    return importedFiles.map(({ fileName }) => ({ from, to: resolve(from, fileName) }));
  });
}

function resolve(from: string, name: string): string {
  if (!name.startsWith('.')) return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
  const path = join(ROOT, dirname(from), name);
  const file = [`${path}.ts`, `${path}.tsx`, path].find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`${from} imports ${name}, which is no file`);
  return relative(ROOT, file);
}

/** Groups of files that reach each other. */
export function findCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  // Tarjan's algorithm.
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}
