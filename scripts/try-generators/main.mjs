// npm run clients:try [-- php go python]: openapi-generator makes clients of openapi.json; each must compile and delegate as it is.
// No part of .ci/run: it takes minutes, Java, Go, PHP and the network. TypeScript's client is made and run by every test run.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThere } from '../example-programs.mjs';
import { run, startService } from './processes.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const VERSION = '7.25.0';
const SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae';
const MAVEN = 'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli';
const JAR = join(ROOT, 'node_modules', '.cache', `openapi-generator-cli-${VERSION}.jar`);
const GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php';
const JAVA = ['Java 11 or newer (default-jre-headless)', () => isThere('java')];

/** What each language needs, with Debian's package; then how its client is compiled and run. */
const LANGUAGES = {
  php: {
    needs: [
      JAVA,
      ['PHP with curl and mbstring (php-cli php-curl php-mbstring)', () => isThere('php')],
      ['Guzzle (php-guzzlehttp-guzzle)', () => existsSync(GUZZLE)],
    ],
    async run(generated, env) {
      for (const file of globSync(join(generated, 'lib', '**', '*.php'))) await run('php', ['-l', file]);
      return run('php', [join(HERE, 'php', 'first-delegation.php')], { env: { ...env, GENERATED: generated } });
    },
  },
  go: {
    needs: [JAVA, ['Go 1.23 or newer (go.dev/dl)', () => isThere('go')]],
    async run(generated, env) {
      const directory = dirname(generated);
      cpSync(join(HERE, 'go'), directory, { recursive: true });
      await run('go', ['mod', 'tidy'], { cwd: directory });
      // Its own tests want a module that its go.mod does not name.
      await run('go', ['vet', '.'], { cwd: generated });
      return run('go', ['run', '.'], { cwd: directory, env });
    },
  },
  python: {
    needs: [JAVA, ['Python 3.10 or newer with venv (python3-venv)', () => isThere('python3')]],
    async run(generated, env) {
      const python = join(dirname(generated), 'venv', 'bin', 'python');
      await run('python3', ['-m', 'venv', join(dirname(generated), 'venv')]);
      await run(python, ['-m', 'compileall', '-q', generated]);
      await run(python, ['-m', 'pip', 'install', '--quiet', generated]);
      return run(python, [join(HERE, 'python', 'first_delegation.py')], { env });
    },
  },
};

async function fetchJar() {
  if (existsSync(JAR)) return;
  process.stdout.write(`Fetching openapi-generator ${VERSION} ...\n`);
  const response = await fetch(`${MAVEN}/${VERSION}/openapi-generator-cli-${VERSION}.jar`);
  if (!response.ok) throw new Error(`openapi-generator: status ${response.status}`);
  const jar = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash('sha256').update(jar).digest('hex');
  if (sha256 !== SHA256) throw new Error(`openapi-generator ${VERSION} has the hash ${sha256}, not ${SHA256}`);
  mkdirSync(dirname(JAR), { recursive: true });
  writeFileSync(`${JAR}.part`, jar);
  renameSync(`${JAR}.part`, JAR);
}

async function tryLanguage(language, directory, env) {
  const generated = join(directory, language, 'generated');
  const generate = ['generate', '-g', language, '-i', join(ROOT, 'openapi.json'), '-o', generated];
  await run('java', ['-jar', JAR, ...generate]);
  return LANGUAGES[language].run(generated, env);
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(LANGUAGES);
const unknown = wanted.filter((language) => !Object.hasOwn(LANGUAGES, language));
if (unknown.length > 0) {
  process.stderr.write(`Only ${Object.keys(LANGUAGES).join(', ')}, not ${unknown.join(', ')}\n`);
  process.exit(2);
}
const missing = new Set(
  wanted.flatMap((language) => LANGUAGES[language].needs).flatMap(([what, isHere]) => (isHere() ? [] : [what])),
);
if (missing.size > 0) {
  process.stderr.write(`Needed and not here (Debian's packages in brackets):\n  ${[...missing].join('\n  ')}\n`);
  process.exit(1);
}

await fetchJar();
const directory = mkdtempSync(join(tmpdir(), 'try-generators-'));
const service = await startService(ROOT);
let failed = 0;
try {
  for (const language of wanted) {
    try {
      const { stdout } = await tryLanguage(language, directory, service.env);
      process.stdout.write(`ok      ${language}: ${stdout.trim()}\n`);
    } catch (error) {
      failed += 1;
      process.stdout.write(`FAILED  ${language}\n${error.message}\n`);
    }
  }
} finally {
  await service.stop();
  // Go writes its modules without the right to be written.
  if (failed === 0) rmSync(directory, { recursive: true, force: true });
  else process.stdout.write(`What was made is in ${directory}\n`);
}
process.exit(failed === 0 ? 0 : 1);
