import { join } from 'node:path';
import { type AssetFile, StaticAssets } from '../../common/http/static-assets';

const own = (name: string) => join(__dirname, name);
const inPanel = (name: string) => join(__dirname, '..', '..', 'panel', 'assets', name);

/** The client's own modules, as the repository has them: a browser runs them as they are, and its reader may read them. */
const VERIFIER = join(__dirname, '..', '..', '..', 'clients', 'typescript', 'src', 'receipt');
const VERIFIER_FILES = [
  'verify-receipt',
  'read-receipt',
  'receipt-error',
  'address',
  'protobuf',
  'bytes',
  'sha256',
  'keccak256',
  'secp256k1',
].map((name): [string, AssetFile] => [`${name}.mjs`, { type: 'text/javascript', path: join(VERIFIER, `${name}.mjs`) }]);

/** Everything that a page of the site loads comes from this process. */
export const SITE_ASSETS = new StaticAssets('/site/assets', {
  'base.css': { type: 'text/css', path: require.resolve('@picocss/pico/css/pico.min.css') },
  'common.css': { type: 'text/css', path: inPanel('common.css') },
  'site.css': { type: 'text/css', path: own('site.css') },
  'old-links.js': { type: 'text/javascript', path: own('old-links.js') },
  'shared-receipt.js': { type: 'text/javascript', path: own('shared-receipt.js') },
  'icon.svg': { type: 'image/svg+xml', path: inPanel('icon.svg') },
  ...Object.fromEntries(VERIFIER_FILES),
});
