# The service alone: PostgreSQL and nodes are given by DATABASE_URL and TRON_FULL_NODE_URLS.
# Build with --pull, so that the base image has Node's last security release.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json ./clients/typescript/
COPY local-chain ./local-chain
COPY signer ./signer
# secp256k1 (optional) has a prebuilt binary or is left out. The image has a Node 24 of its own: npm's is removed again below.
RUN npm ci --no-audit --no-fund
COPY nest-cli.json tsconfig.json .swcrc openapi.json ./
COPY scripts ./scripts
COPY config ./config
COPY docs/customers ./docs/customers
COPY examples ./examples
COPY clients/typescript/src/receipt ./clients/typescript/src/receipt
COPY src ./src
RUN npm run build
# Of the signer, its own libraries alone; a PKCS#11 module needs an image with a compiler.
FROM build AS signer-build
RUN rm -rf node_modules && npm ci --no-audit --no-fund --omit=dev -w signer \
  # The library in C, where it has a binary or a compiler is here; the signer signs without it, too.
  && mkdir -p node_modules/secp256k1 node_modules/node-gyp-build && cp -rL dist/signer /built-signer

FROM node:24-slim AS signer
ENV NODE_ENV=production
WORKDIR /app
COPY --from=signer-build --chown=root:root /app/node_modules/@noble ./node_modules/@noble
COPY --from=signer-build --chown=root:root /app/node_modules/@aws-sdk ./node_modules/@aws-sdk
COPY --from=signer-build --chown=root:root /app/node_modules/@aws ./node_modules/@aws
COPY --from=signer-build --chown=root:root /app/node_modules/@smithy ./node_modules/@smithy
COPY --from=signer-build --chown=root:root /app/node_modules/tslib ./node_modules/tslib
COPY --from=signer-build --chown=root:root /app/node_modules/secp256k1 ./node_modules/secp256k1
COPY --from=signer-build --chown=root:root /app/node_modules/node-gyp-build ./node_modules/node-gyp-build
COPY --from=signer-build --chown=root:root /app/node_modules/bowser ./node_modules/bowser
COPY --from=signer-build --chown=root:root /built-signer ./dist/signer
# The service's user, who alone may connect. New volumes get the owners of these folders.
RUN install -d -o 1000 -g 1000 -m 700 /state /run/energy-signer
USER 1000:1000
STOPSIGNAL SIGTERM
CMD ["node", "dist/signer/src/main.js", "--config", "/config/config.json", "--socket", "/run/energy-signer/socket"]

FROM build AS service-build
RUN mkdir /built && cp -rL dist/. /built/ && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  # The packages of this repository, which npm links, and what the signer alone uses: the service needs none of it.
  && rm -rf node_modules/energy-delegation-client node_modules/tron-local-chain node_modules/.bin/tron-local-chain /built/local-chain \
  && rm -rf node_modules/energy-signer node_modules/.bin/energy-signer /built/signer \
  && rm -rf node_modules/@aws-sdk node_modules/@smithy node_modules/@aws node_modules/pkcs11js

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=service-build --chown=root:root /app/package.json ./
COPY --from=service-build --chown=root:root /app/node_modules ./node_modules
COPY --from=service-build --chown=root:root /built ./dist
# The image's user `node`, by number: an orchestrator that refuses root cannot read a name.
RUN install -d -o 1000 -g 1000 -m 700 /data /run/energy-signer
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the process that gets SIGTERM: it answers what is in flight, then ends.
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js"]
