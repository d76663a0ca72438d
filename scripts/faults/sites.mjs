import ts from 'typescript';

const { SyntaxKind } = ts;
const OPERATORS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
};
/** What may stand for another in a statement of SQL. */
const IN_SQL = [
  [/ and /g, ' or '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ = (?=')/g, ' <> '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\bnot exists\b/g, 'exists'],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/ for update( skip locked)?/g, ''],
];
const IS_SQL = /\b(select|insert into|update|delete from|where|for update)\b/i;
/** A log line that is missing changes neither money nor a state. */
const LOGS = /^(await )?(this\.)?logger\./;

/**
 * Every place of a source where one of these faults can be planted.
 * @returns {{ kind: string, at: number, was: string, is: string }[]}
 */
export function sitesOf(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const sites = [];
  const add = (kind, node, is) => {
    const was = node.getText(source);
    if (is !== was) sites.push({ kind, at: node.getStart(source), was, is });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isDecorator(node) || ts.isTypeNode(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText(source);
      const isText = [node.left, node.right].some(isTextual);
      if (OPERATORS[operator] && !isText) add('operator', node.operatorToken, OPERATORS[operator]);
    }
    if (ts.isIfStatement(node)) add('condition', node.expression, `!(${node.expression.getText(source)})`);
    if (ts.isConditionalExpression(node)) add('condition', node.condition, `!(${node.condition.getText(source)})`);
    if (ts.isNumericLiteral(node)) add('number', node, String(Number(node.getText(source).replaceAll('_', '')) + 1));
    if (ts.isBigIntLiteral(node)) add('number', node, `${BigInt(node.getText(source).replace(/[n_]/g, '')) + 1n}n`);
    if (node.kind === SyntaxKind.TrueKeyword) add('boolean', node, 'false');
    if (node.kind === SyntaxKind.FalseKeyword) add('boolean', node, 'true');
    if (ts.isExpressionStatement(node) && !LOGS.test(node.getText(source)) && !isSuper(node)) add('missing', node, ';');
    if (isTextual(node) && IS_SQL.test(node.getText(source))) sites.push(...sitesInSql(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

const isTextual = (node) =>
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  ts.isTemplateExpression(node) ||
  ts.isTemplateHead(node);

const isSuper = ({ expression }) =>
  ts.isCallExpression(expression) && expression.expression.kind === SyntaxKind.SuperKeyword;

function sitesInSql(node, source) {
  const [start, text] = [node.getStart(source), node.getText(source)];
  return IN_SQL.flatMap(([pattern, is]) =>
    [...text.matchAll(pattern)].map(({ 0: was, index }) => ({ kind: 'sql', at: start + index, was, is })),
  );
}

/** The source with the fault in it; null when its place is gone. */
export function plant(text, { at, was, is }) {
  return text.startsWith(was, at) ? text.slice(0, at) + is + text.slice(at + was.length) : null;
}
