# One image for every everpost command: docker run everpost:local worker
FROM node:22-bookworm-slim AS build
WORKDIR /everpost
COPY package.json package-lock.json ./
COPY packages ./packages
# Without its "prepare": the sources come after the packages, so that a change to them installs nothing again.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-bookworm-slim
# Temporal's client trusts the system's certificates, and the slim image has none.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
WORKDIR /everpost
COPY --from=build /everpost/package.json ./
COPY --from=build /everpost/node_modules ./node_modules
COPY --from=build /everpost/dist ./dist
COPY bin ./bin
RUN mkdir -p /var/lib/everpost && chown node:node /var/lib/everpost
ENV NODE_ENV=production EVERPOST_DATA_DIR=/var/lib/everpost
USER node
ENTRYPOINT ["node", "bin/everpost.js"]
CMD ["--help"]
