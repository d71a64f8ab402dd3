// What is read of public websites: for a workspace, and for a stranger who tries the service.
import { section } from '../setting.ts'
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
  enabled: flag(true).describe('Whether workspaces may have a preview.'),
  maxPages: whole(1, 10_000, 40).describe(MEANINGS.maxPages),
  maxTotalBytes: whole(1024, MOST_BYTES, 8_388_608).describe(MEANINGS.maxTotalBytes),
  maxPageBytes: whole(1024, MOST_BYTES, 1_048_576).describe(MEANINGS.maxPageBytes),
  timeoutSeconds: decimal(0.1, 600, 15).describe('How long a whole crawl may take. What was read by then is kept.'),
  concurrency: whole(1, 4, 1).describe('How many pages of a site are asked for at a time.'),
  chunkChars: whole(100, 10_000, 900).describe('The longest piece in which a page is found and quoted, in characters.'),
  chunkOverlapChars: whole(0, 1000, 120).describe(
    'How much of the piece before each piece repeats, in characters. At most half of Preview:ChunkChars counts.',
  ),
  maxFeedItems: whole(0, 100_000, 500).describe(MEANINGS.maxFeedItems),
  maxDataEndpoints: whole(0, 100, 6).describe(MEANINGS.maxDataEndpoints),
  maxItems: whole(0, 100_000, 300).describe(MEANINGS.maxItems),
  refreshHours: decimal(0, 8760, 0).describe(
    'How often the site of each workspace is read again, in hours. 0 reads none again. What is held stays if the site lost more than half of its pages.',
  ),
  cacheBytes: whole(1_048_576, 1_099_511_627_776, 67_108_864).describe(
    'How much memory of each process holds previews that are in use, in bytes.',
  ),
})

export const previewSandbox = section('PreviewSandbox', 'Trying the assistant of a website without signing up.', {
  enabled: flag(false).describe(
    'Whether a stranger can open a sandbox. If not, POST /v1/preview/sandbox answers 404, and there is no /try.',
  ),
  ipHashSalt: text({ max: 512, secret: true })
    .default('')
    .describe(
      'The salt in the hash of a visitor’s address, so that no address is stored. It must be the same on every instance of one database.',
      {
        needed: {
          make: 'PreviewSandbox:Enabled needs it. Set it to the output of `openssl rand -hex 32`.',
          unless: (read) => read('PreviewSandbox:Enabled') !== true,
        },
        development: (random) => random(24).toString('hex'),
        unsafe: { ...guessable, why: (salt) => (salt === '' ? undefined : guessable.why(salt)) },
      },
    ),
  lifetimeMinutes: decimal(0.001, WEEK_IN_MINUTES, 60).describe('How long a sandbox lives.'),
  maxPages: whole(1, 10_000, 8).describe(MEANINGS.maxPages),
  maxTotalBytes: whole(1024, MOST_BYTES, 1_048_576).describe(MEANINGS.maxTotalBytes),
  maxPageBytes: whole(1024, MOST_BYTES, 262_144).describe(MEANINGS.maxPageBytes),
  crawlSeconds: decimal(0.1, 600, 20).describe('How long a crawl may take. What was read by then is kept.'),
  maxFeedItems: whole(0, 100_000, 100).describe(MEANINGS.maxFeedItems),
  maxDataEndpoints: whole(0, 100, 6).describe(MEANINGS.maxDataEndpoints),
  maxItems: whole(0, 100_000, 300).describe(MEANINGS.maxItems),
  maxPerAddressPerDay: whole(0, MANY, 5).describe(
    'The most sandboxes from one client address in 24 hours. Expired and kept ones count.',
  ),
  maxGlobalPerHour: whole(0, MANY, 30).describe('The most sandboxes of all callers together in an hour.'),
  maxConcurrentCrawls: whole(0, 1000, 4).describe(
    'The most crawls of sandboxes at a time in one process. One more is refused, not queued.',
  ),
  maxTurnsPerSandbox: whole(0, MANY, 20).describe('The most questions to one sandbox.'),
  sandboxBudgetUsd: decimal(0, MANY, 0.05).describe(
    'What the questions to one sandbox may cost, in US dollars. 0 refuses every question.',
  ),
  dailyBudgetUsd: decimal(0, MANY, 2).describe(
    'What the questions to all sandboxes may cost in one UTC day, in US dollars. 0 refuses every question.',
  ),
  sweepIntervalSeconds: decimal(0.1, 86_400, 60).describe('How often expired sandboxes are emptied.'),
})
