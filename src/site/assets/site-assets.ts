import { join } from 'node:path';
import { StaticAssets } from '../../common/http/static-assets';

const own = (name: string) => join(__dirname, name);

/** Everything that a page of the site loads comes from this process. */
export const SITE_ASSETS = new StaticAssets('/site/assets', {
  'base.css': { type: 'text/css', path: require.resolve('@picocss/pico/css/pico.min.css') },
  'site.css': { type: 'text/css', path: own('site.css') },
  'old-links.js': { type: 'text/javascript', path: own('old-links.js') },
  'icon.svg': { type: 'image/svg+xml', path: join(__dirname, '..', '..', 'panel', 'assets', 'icon.svg') },
});
