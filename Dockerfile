# One image for every everpost command: docker run everpost:local worker
FROM node:22.23.2-bookworm-slim AS build
WORKDIR /everpost
COPY package.json package-lock.json ./
COPY packages ./packages
# Without its "prepare": the sources come after the packages, so that a change to them installs nothing again.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json openapi.json ./
COPY scripts/build-client-types.js ./scripts/
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# Temporal's library comes for five platforms and with its sources. Node reads no types, maps of sources or documents.
RUN cd node_modules/@temporalio/core-bridge && rm -r sdk-core && cd releases \
    && own="$(node -p '({ x64: "x86_64", arm64: "aarch64" })[process.arch]')-unknown-linux-gnu" && test -d "$own" \
    && find . -mindepth 1 -maxdepth 1 ! -name "$own" -exec rm -r {} + \
    && cd /everpost && find node_modules dist -type f \( -name '*.map' -o -name '*.ts' -o -name '*.md' \) -delete
# Readable for any user, also from a clone that was made with umask 077.
COPY bin ./bin
RUN chmod -R a+rX package.json openapi.json bin

FROM node:22.23.2-bookworm-slim
# Temporal's client trusts the system's certificates, and the slim image has none.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /everpost
COPY --from=build /everpost/package.json /everpost/openapi.json ./
COPY --from=build /everpost/node_modules ./node_modules
COPY --from=build /everpost/dist ./dist
COPY --from=build /everpost/bin ./bin
# For any user: compose runs the image as the owner of its secrets.
RUN mkdir -p /var/lib/everpost && chmod 1777 /var/lib/everpost
ENV NODE_ENV=production EVERPOST_DATA_DIR=/var/lib/everpost
USER node
ENTRYPOINT ["node", "bin/everpost.js"]
CMD ["--help"]
