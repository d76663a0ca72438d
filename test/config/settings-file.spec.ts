import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettingsFile } from '../../config/settings-file';
import { ensureBuild } from '../support/build';
import { type ProgramResult, runProgram } from '../support/program';

const TEXT = 'BILLING_VARIANT=B\n# 配置\nPUBLIC_URL="https://energy.example"\nKEEP_ALIVE=90s\n';
const SETTINGS = { BILLING_VARIANT: 'B', PUBLIC_URL: 'https://energy.example', KEEP_ALIVE: '90s' };
const MARK = '\ufeff';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('a settings file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-'));
    file = join(folder, '.env');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each<[string, Buffer]>([
    ['in UTF-8', Buffer.from(TEXT)],
    ['in UTF-8 with a byte-order mark', Buffer.from(MARK + TEXT)],
    ['in UTF-16, little end first', Buffer.from(MARK + TEXT, 'utf16le')],
    ['in UTF-16, big end first', bigEndian(MARK + TEXT)],
    ["with Windows' ends of lines", Buffer.from(TEXT.replaceAll('\n', '\r\n'))],
    ["with an old Mac's ends of lines", Buffer.from(TEXT.replaceAll('\n', '\r'))],
    ['that two were made one of, each with its mark', Buffer.from(`${MARK}# first\n${MARK}${TEXT}`)],
    ['with a comment in another encoding', Buffer.concat([Buffer.from('# \xc5\xe4\n', 'latin1'), Buffer.from(TEXT)])],
  ])('%s is read whole', (_, bytes) => {
    writeFileSync(file, bytes);
    expect(readSettingsFile(file)).toEqual(SETTINGS);
  });

  it('that is not there says nothing', () => {
    expect(readSettingsFile(file)).toEqual({});
  });

  it.each<[string, Buffer | null, string]>([
    ['that is a directory', null, 'it is a directory'],
    ['in UTF-16 without a mark', Buffer.from(TEXT, 'utf16le'), 'it is not text in UTF-8'],
    ['in UTF-32', Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.from('B\0\0\0')]), 'it is not text in UTF-8'],
    ['with a value in another encoding', Buffer.from('SITE_NAME=Caf\xe9\n', 'latin1'), 'the value of SITE_NAME'],
    ['with a blank that is none in a name', Buffer.from('BILLING_VARIANT\u00a0=B\n'), 'has a character'],
    ['with a mark in a name', Buffer.from('A=1\n BILLING\u200b_VARIANT=B\n'), 'has a character'],
  ])('%s is refused by its name', (_, bytes, problem) => {
    if (bytes === null) mkdirSync(file);
    else writeFileSync(file, bytes);
    expect(() => readSettingsFile(file)).toThrow(`The settings in ${file} cannot be read: `);
    expect(() => readSettingsFile(file)).toThrow(problem);
  });

  it.each([
    ['a full-width equals sign', 'BILLING_VARIANT\uff1dB', 'neither NAME=value nor a comment'],
    ['a colon in the place of the equals sign', 'BILLING_VARIANT: B', 'neither NAME=value nor a comment'],
    ['no equals sign', 'BILLING_VARIANT B', 'neither NAME=value nor a comment'],
    ['what another shell sets', '$env:BILLING_VARIANT="B"', 'has a character that no setting'],
    ["what Windows' shell sets", 'set BILLING_VARIANT=B', 'has a character that no setting'],
    ['a blank that is none after export', 'export\tBILLING_VARIANT=B', 'has a character that no setting'],
    ['no name', '=B', 'has a character that no setting'],
    ['a quote that never closes', "BILLING_VARIANT='B", 'has a quote that does not close'],
    ['a quote that closes lines below', 'SITE_NAME="Energy\nBILLING_VARIANT=B\nNAME="x"', 'hides the lines below it'],
    ['a quote that the next one closes', 'SITE_NAME="Energy\nBILLING_VARIANT="B"', 'hides the lines below it'],
    ['a quote within quotes', 'SITE_NAME="The "Energy" shop"', 'ends at its second "'],
    ['a # within a value', 'DATABASE_URL=postgresql://u:p#ss@h/db', 'would end at its #'],
  ])('with %s is refused, by its line', (_, lines, problem) => {
    writeFileSync(file, `# one\n\nA=1\n${lines}\n`);
    expect(() => readSettingsFile(file)).toThrow(`The settings in ${file} cannot be read: line 4: `);
    expect(() => readSettingsFile(file)).toThrow(problem);
  });

  it.each(['BILLING_VARIANT=', 'BILLING_VARIANT=A', 'export BILLING_VARIANT="b"'])(
    'that says two things of one setting (%s) is refused',
    (second) => {
      writeFileSync(file, `BILLING_VARIANT=B\n${second}\n`);
      expect(() => readSettingsFile(file)).toThrow('line 2: BILLING_VARIANT has another value than in line 1');
    },
  );

  it('keeps every way to write a value that loses nothing', () => {
    const key = 'KEY="-----BEGIN\nMIIE+/ab\nQ2c9==\nQ2c=\n-----END"';
    const quoted = `  A = "a # b"  # why\nexport B='x "y"'\nC=\`it's\` \nD=d e # why\nE=\nF=#none\nG.1=""#x\n# "open\n${key}`;
    writeFileSync(file, `${quoted}\nD='d e'\n`);
    const some = { A: 'a # b', B: 'x "y"', C: "it's", D: 'd e', E: '', F: '', 'G.1': '' };
    expect(readSettingsFile(file)).toEqual({ ...some, KEY: '-----BEGIN\nMIIE+/ab\nQ2c9==\nQ2c=\n-----END' });
  });

  it('that is a link to nothing is refused', () => {
    symlinkSync(join(folder, 'gone'), file);
    expect(() => readSettingsFile(file)).toThrow(`${file} cannot be read: it is a link to a file that does not exist`);
  });

  describe('and the program that is started beside it', () => {
    const entry = (name: string) => join(ensureBuild(), 'src', ...name.split('/'));
    const run = (name: string, args: string[], env: Record<string, string> = {}): Promise<ProgramResult> =>
      runProgram([process.execPath, entry(name), ...args], { cwd: folder, env });

    it('goes by the file where a variable of the environment is empty or blank', async () => {
      writeFileSync(file, 'BILLING_VARIANT=nonsense\n');
      for (const BILLING_VARIANT of ['', ' ', '\t']) {
        const { code, stderr } = await run('cli/main.js', ['user:list'], { BILLING_VARIANT });
        expect([code, stderr]).toEqual([1, expect.stringContaining('BILLING_VARIANT must be A or B, not "nonsense"')]);
      }
      const { stderr } = await run('cli/main.js', ['user:list'], { BILLING_VARIANT: 'B' });
      expect(stderr).not.toContain('BILLING_VARIANT');
    });

    it('does not lose the first line behind a mark', async () => {
      writeFileSync(file, `${MARK}BILLING_VARIANT=nonsense\n`);
      expect((await run('cli/main.js', ['user:list'])).stderr).toContain('BILLING_VARIANT must be A or B');
    });

    it('says which file it cannot go by, in one line, and does nothing', async () => {
      mkdirSync(file);
      const said = `The settings in ${file} cannot be read: it is a directory\n`;
      expect(await run('cli/main.js', ['user:list'])).toEqual({ code: 1, stdout: '', stderr: said });
      expect(await run('main.js', [])).toEqual({ code: 1, stdout: '', stderr: said });
      const { code, stdout } = await run('cli/main.js', ['doctor', '--json']);
      expect([code, JSON.parse(stdout)]).toMatchObject([1, { findings: [{ kind: 'setting_wrong', subject: file }] }]);
    });
  });
});
