import ts from 'typescript';

/** A piece of English in a source file, and the line on which it stands. */
export interface Text {
  readonly kind: 'comment' | 'message' | 'test name' | 'hint';
  readonly line: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TESTS: ReadonlySet<string> = new Set(['it', 'test', 'describe']);
const HINTS: ReadonlySet<string> = new Set(['nextStep', 'next_step', 'hint']);
const STATEMENT =
  /^\s*(?:select|insert into|update \S+ set|delete from|with (?:recursive )?\w+ as|(?:create|alter|drop) \w+)\s/;
const CHINESE = /\p{Script=Han}/u;

/** Comments and strings of a file, as the compiler reads them. Statements and Chinese texts are left out. */
export function readTexts(name: string, source: string): Text[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  return [...readComments(file), ...readStrings(file)].toSorted((a, b) => a.start - b.start);
}

const lineOf = (file: ts.SourceFile, position: number) => file.getLineAndCharacterOfPosition(position).line + 1;

function readComments(file: ts.SourceFile): Text[] {
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    const text = file.text;
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) ranges.set(range.pos, range);
  };
  visit(file);
  return joinLines(
    file,
    [...ranges.values()].toSorted((a, b) => a.pos - b.pos),
  );
}

/** Line comments that follow each other are one text. */
function joinLines(file: ts.SourceFile, ranges: readonly ts.CommentRange[]): Text[] {
  const texts: Text[] = [];
  let isOpen = false;
  for (const { pos, end, kind } of ranges) {
    const text = wordsOf(file.text.slice(pos, end));
    const last = texts.at(-1);
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    if (last && isLine && isOpen && /^\r?\n[ \t]*$/.test(file.text.slice(last.end, pos)))
      texts[texts.length - 1] = { ...last, text: `${last.text} ${text}`, end };
    else texts.push({ kind: 'comment', line: lineOf(file, pos), text, start: pos, end });
    isOpen = isLine;
  }
  return texts;
}

function wordsOf(comment: string): string {
  const inner = comment.startsWith('//') ? comment.slice(2) : comment.slice(2, -2);
  return inner
    .split('\n')
    .map((line) => line.replace(/^[\s*]+/, ''))
    .join(' ')
    .trim();
}

function readStrings(file: ts.SourceFile): Text[] {
  const texts: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node)) {
      const text = textOf(node);
      const { parent } = node;
      const kind = isTestName(node) ? 'test name' : isHint(node) ? 'hint' : 'message';
      const isStatement = ts.isTaggedTemplateExpression(parent) || STATEMENT.test(text);
      if (!isStatement && !CHINESE.test(text) && !ts.isLiteralTypeNode(parent))
        texts.push({ kind, line: lineOf(file, node.getStart()), text, start: node.getStart(), end: node.getEnd() });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

type StringNode = ts.StringLiteralLike | ts.TemplateExpression;
const isText = (node: ts.Node): node is StringNode => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function textOf(node: StringNode): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** The first argument of it(), describe(), it.each(…)() and their like. */
function isTestName(node: ts.Node): boolean {
  if (!ts.isCallExpression(node.parent) || node.parent.arguments[0] !== node) return false;
  let called: ts.Expression = node.parent.expression;
  for (;;) {
    if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) called = called.expression;
    else if (ts.isTaggedTemplateExpression(called)) called = called.tag;
    else break;
  }
  return ts.isIdentifier(called) && TESTS.has(called.text);
}

function isHint(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node.parent; at && !ts.isStatement(at); at = at.parent)
    if (ts.isPropertyAssignment(at) || ts.isPropertyDeclaration(at) || ts.isVariableDeclaration(at))
      return HINTS.has(at.name.getText());
  return false;
}
