import { join } from 'node:path';
import { StaticAssets } from '../common/http/static-assets';

/** Nothing inline, nothing from elsewhere. The library's icons are data URLs. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const DOCS_ASSETS = new StaticAssets('/docs/assets', {
  'swagger-ui.css': { type: 'text/css', path: require.resolve('swagger-ui-dist/swagger-ui.css') },
  'swagger-ui.js': { type: 'text/javascript', path: require.resolve('swagger-ui-dist/swagger-ui-bundle.js') },
  'icon.png': { type: 'image/png', path: require.resolve('swagger-ui-dist/favicon-32x32.png') },
  'docs.js': { type: 'text/javascript', path: join(__dirname, 'assets', 'docs.js') },
});

/** Swagger UI draws the document. The browser keeps the token, and sends it only with the calls that the page makes. */
export const docsPage = () => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Energy delegation service: API</title>
    <link rel="icon" type="image/png" href="${DOCS_ASSETS.url('icon.png')}">
    <link rel="stylesheet" href="${DOCS_ASSETS.url('swagger-ui.css')}">
  </head>
  <body>
    <nav><a href="/docs">Documentation · 文档</a></nav>
    <main id="docs"></main>
    <noscript>The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="${DOCS_ASSETS.url('swagger-ui.js')}"></script>
    <script src="${DOCS_ASSETS.url('docs.js')}"></script>
  </body>
</html>
`;
