# The service for production. The database is PostgreSQL (DATABASE_URL); migrations are a step of their own:
#   docker run --rm --env-file production.env tether npm run migrate      (all the settings of the service: it refuses unsafe ones)
FROM node:24-bookworm-slim AS build
WORKDIR /repository
COPY package.json package-lock.json .npmrc ./
COPY cli/package.json cli/
COPY contract/package.json contract/
COPY server/package.json server/
COPY sdk/package.json sdk/
COPY demo/package.json demo/
COPY widget/package.json widget/
COPY bench/package.json bench/
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production Environment=Production
# The service in a few files, and whatever it reads: nothing else is installed here.
COPY --from=build /repository/dist ./
# What the ledger of the models could not write while the database was away waits here: keep it on a volume.
RUN mkdir .data && chown node .data
VOLUME /app/.data
USER node
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/start.mjs", "serve"]
