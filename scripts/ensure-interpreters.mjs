// Brings along what the examples run with. Debian's packages are installed where something is missing and root may do it.
import { aptInstall } from './apt-install.mjs';
import { EXAMPLE_PROGRAMS, languagesMissing } from './example-programs.mjs';

const packages = languagesMissing().flatMap((language) => EXAMPLE_PROGRAMS[language].packages);
if (packages.length > 0) aptInstall(...packages);
for (const language of languagesMissing()) process.stderr.write(`The examples for ${language} cannot run here.\n`);
