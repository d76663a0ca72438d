import { join } from 'node:path';
import { StaticAssets } from '../../common/http/static-assets';

const own = (name: string) => join(__dirname, name);

/** Everything a page loads comes from this process. */
export const ASSETS = new StaticAssets('/panel/assets', {
  'base.css': { type: 'text/css', path: require.resolve('@picocss/pico/css/pico.min.css') },
  'common.css': { type: 'text/css', path: own('common.css') },
  'panel.css': { type: 'text/css', path: own('panel.css') },
  'tables.css': { type: 'text/css', path: own('tables.css') },
  'panel.js': { type: 'text/javascript', path: own('panel.js') },
  'times.js': { type: 'text/javascript', path: own('times.js') },
  'first-call.js': { type: 'text/javascript', path: own('first-call.js') },
  'live.js': { type: 'text/javascript', path: own('live.js') },
  'idiomorph.esm.js': { type: 'text/javascript', path: require.resolve('idiomorph/dist/idiomorph.esm.js') },
  'icon.svg': { type: 'image/svg+xml', path: own('icon.svg') },
});
