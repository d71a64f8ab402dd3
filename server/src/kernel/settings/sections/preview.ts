// What is read of public websites: for a workspace, and for a stranger who tries the service.
import { section, setting } from '../setting.ts'
import { decimal, flag, text, whole } from '../shapes.ts'
import { notRandom } from './secrets.ts'

const MANY = 1_000_000
const WEEK_IN_MINUTES = 10_080
const MOST_BYTES = 1_073_741_824

// Whoever opens no sandbox needs no salt.
const guessable = notRandom('openssl rand -hex 32', 16)

const MEANINGS = {
  maxPages: 'The most pages that one crawl reads.',
  maxTotalBytes: 'The most bytes that one crawl reads, of pages, feeds and everything else.',
  maxPageBytes: 'The most bytes of one page. A longer one is cut.',
  maxFeedItems: 'The most entries of a feed.',
  maxDataEndpoints: 'The most public JSON addresses that a crawl asks.',
  maxItems: 'The most listed items, such as products, that a crawl keeps.',
} as const

export const preview = section('Preview', 'The public website of a workspace, from which its assistant answers.', {
  enabled: setting(flag, { default: true, meaning: 'Whether workspaces may have a preview.' }),
  maxPages: setting(whole(1, 10_000), { default: 40, meaning: MEANINGS.maxPages }),
  maxTotalBytes: setting(whole(1024, MOST_BYTES), { default: 8_388_608, meaning: MEANINGS.maxTotalBytes }),
  maxPageBytes: setting(whole(1024, MOST_BYTES), { default: 1_048_576, meaning: MEANINGS.maxPageBytes }),
  timeoutSeconds: setting(decimal(0.1, 600), {
    default: 15,
    meaning: 'How long a whole crawl may take. What was read by then is kept.',
  }),
  concurrency: setting(whole(1, 4), { default: 1, meaning: 'How many pages of a site are asked for at a time.' }),
  chunkChars: setting(whole(100, 10_000), {
    default: 900,
    meaning: 'The longest piece in which a page is found and quoted, in characters.',
  }),
  chunkOverlapChars: setting(whole(0, 1000), {
    default: 120,
    meaning:
      'How much of the piece before each piece repeats, in characters. At most half of Preview:ChunkChars counts.',
  }),
  maxFeedItems: setting(whole(0, 100_000), { default: 500, meaning: MEANINGS.maxFeedItems }),
  maxDataEndpoints: setting(whole(0, 100), { default: 6, meaning: MEANINGS.maxDataEndpoints }),
  maxItems: setting(whole(0, 100_000), { default: 300, meaning: MEANINGS.maxItems }),
  refreshHours: setting(decimal(0, 8760), {
    default: 0,
    meaning:
      'How often the site of each workspace is read again, in hours. 0 reads none again. What is held stays if the site lost more than half of its pages.',
  }),
  cacheBytes: setting(whole(1_048_576, 1_099_511_627_776), {
    default: 67_108_864,
    meaning: 'How much memory of each process holds previews that are in use, in bytes.',
  }),
})

export const previewSandbox = section('PreviewSandbox', 'Trying the assistant of a website without signing up.', {
  enabled: setting(flag, {
    default: false,
    meaning:
      'Whether a stranger can open a sandbox. If not, POST /v1/preview/sandbox answers 404, and there is no /try.',
  }),
  ipHashSalt: setting(text({ max: 512, secret: true }), {
    default: '',
    meaning:
      'The salt in the hash of a visitor’s address, so that no address is stored. It must be the same on every instance of one database.',
    needed: {
      make: 'PreviewSandbox:Enabled needs it. Set it to the output of `openssl rand -hex 32`.',
      unless: (read) => read('PreviewSandbox:Enabled') !== true,
    },
    development: (random) => random(24).toString('hex'),
    unsafe: { ...guessable, why: (salt) => (salt === '' ? undefined : guessable.why(salt)) },
  }),
  lifetimeMinutes: setting(decimal(0.001, WEEK_IN_MINUTES), { default: 60, meaning: 'How long a sandbox lives.' }),
  maxPages: setting(whole(1, 10_000), { default: 8, meaning: MEANINGS.maxPages }),
  maxTotalBytes: setting(whole(1024, MOST_BYTES), { default: 1_048_576, meaning: MEANINGS.maxTotalBytes }),
  maxPageBytes: setting(whole(1024, MOST_BYTES), { default: 262_144, meaning: MEANINGS.maxPageBytes }),
  crawlSeconds: setting(decimal(0.1, 600), {
    default: 20,
    meaning: 'How long a crawl may take. What was read by then is kept.',
  }),
  maxFeedItems: setting(whole(0, 100_000), { default: 100, meaning: MEANINGS.maxFeedItems }),
  maxDataEndpoints: setting(whole(0, 100), { default: 6, meaning: MEANINGS.maxDataEndpoints }),
  maxItems: setting(whole(0, 100_000), { default: 300, meaning: MEANINGS.maxItems }),
  maxPerAddressPerDay: setting(whole(0, MANY), {
    default: 5,
    meaning: 'The most sandboxes from one client address in 24 hours. Expired and kept ones count.',
  }),
  maxGlobalPerHour: setting(whole(0, MANY), {
    default: 30,
    meaning: 'The most sandboxes of all callers together in an hour.',
  }),
  maxConcurrentCrawls: setting(whole(0, 1000), {
    default: 4,
    meaning: 'The most crawls of sandboxes at a time in one process. One more is refused, not queued.',
  }),
  maxTurnsPerSandbox: setting(whole(0, MANY), { default: 20, meaning: 'The most questions to one sandbox.' }),
  sandboxBudgetUsd: setting(decimal(0, MANY), {
    default: 0.05,
    meaning: 'What the questions to one sandbox may cost, in US dollars. 0 refuses every question.',
  }),
  dailyBudgetUsd: setting(decimal(0, MANY), {
    default: 2,
    meaning: 'What the questions to all sandboxes may cost in one UTC day, in US dollars. 0 refuses every question.',
  }),
  sweepIntervalSeconds: setting(decimal(0.1, 86_400), {
    default: 60,
    meaning: 'How often expired sandboxes are emptied.',
  }),
})
