import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/cli.module';

const ROOT = join(__dirname, '..', '..');
const FENCE = /^( *)```(\w*)\n([^]*?)^ *```$/gm;
/** What a shell may be asked to start. */
const PROGRAMS =
  /^(npm|energy-cli|docker|podman|systemctl|node|install|openssl|promtool|pg_dump|useradd|chmod|chown|cp|ln|git|psql) \S|^\.ci\/run$/;

/** What other blocks hold; the ones without a language show requests. */
const NO_COMMANDS = ['', 'json', 'sql', 'ini', 'yaml'];

/** The names that nest-commander knows the commands by. */
const COMMAND_NAMES: readonly string[] = COMMANDS.map(
  (command) => (Reflect.getMetadata('CommandBuilder:Command:Meta', command) as { name: string }).name,
);

/** Commands that no test can run, and why. */
export type NotRun = readonly (readonly [RegExp, string])[];

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** What a page has its reader type. */
export class Page {
  readonly blocks: readonly Block[];
  /** Commands within sentences and tables, each once. A command's name alone is a word of the sentence. */
  readonly inline: readonly string[];
  readonly ran = new Set<string>();
  private readonly text: string;

  constructor(
    path: string,
    private readonly notRun: NotRun,
  ) {
    this.text = readFileSync(join(ROOT, path), 'utf8');
    this.blocks = [...this.text.matchAll(FENCE)].map(([, indent = '', language = '', body = '']) => ({
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }));
    const spans = [...this.text.replaceAll(FENCE, '').matchAll(/`([^`]+)`/g)].map(([, span]) =>
      span!.split(/\s+/).join(' '),
    );
    this.inline = [...new Set(spans.filter((span) => PROGRAMS.test(span) || isCommandLine(span)))];
  }

  /** The lines of the shell blocks, block by block. */
  get scripts(): string[][] {
    return this.blocks.filter(({ language }) => language === 'sh').map(({ text }) => linesOf(text));
  }

  /** A line without what no test can run. */
  runnable(line: string): string {
    return partsOf(line)
      .filter((part) => !this.isNotRun(part))
      .join(' && ');
  }

  /** The inline commands that nothing has run so far, and that can be. */
  get left(): string[] {
    return this.inline.filter((line) => this.unrun(partsOf(line)).length > 0);
  }

  sayRan(line: string): void {
    for (const part of partsOf(line)) this.ran.add(part);
  }

  /** Every command was run or has a reason why not, every reason is needed, and no command has a name that there is not. */
  expectAllRun(): void {
    const languages = this.blocks.map(({ language }) => language);
    expect(languages.filter((language) => ![...NO_COMMANDS, 'sh'].includes(language))).toEqual([]);
    const commands = [...this.scripts.flat(), ...this.inline].flatMap(partsOf);
    expect(this.unrun(commands)).toEqual([]);
    const needless = this.notRun.filter(([pattern]) => !commands.some((command) => pattern.test(command)));
    expect(needless.map(([, reason]) => reason)).toEqual([]);
    expect(this.unknownNames).toEqual([]);
  }

  private unrun(commands: readonly string[]): string[] {
    return commands.filter((command) => !this.ran.has(command) && !this.isNotRun(command));
  }

  private isNotRun(command: string): boolean {
    return this.notRun.some(([pattern]) => pattern.test(command));
  }

  /** What the page calls a command or a script of npm, and there is none of this name. */
  private get unknownNames(): string[] {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const rooms = new Set(COMMAND_NAMES.filter((name) => name.includes(':')).map((name) => name.split(':')[0]));
    const named = [...this.text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!);
    const commands = [...this.text.matchAll(/(?<![\w:/.-])([a-z]+):[a-z][a-z-]*\b/g)].filter(([, room]) =>
      rooms.has(room),
    );
    const known = [...COMMAND_NAMES, ...Object.keys(scripts)];
    return [...named, ...commands.map(([name]) => name)].filter((name) => !known.includes(name));
  }
}

/** Each without its comment; those that a backslash joins are one. */
function linesOf(block: string): string[] {
  const lines = block.replaceAll(/\\\n\s*/g, '').split('\n');
  return lines.map((line) => line.replace(/(^|\s)#.*$/, '').trim()).filter((line) => line !== '');
}

function partsOf(line: string): string[] {
  return line.split(' && ');
}

function isCommandLine(span: string): boolean {
  const [name = '', ...args] = span.split(' ');
  return COMMAND_NAMES.includes(name) && args.length > 0;
}
