import assert from 'node:assert/strict'
import pg from 'pg'
import type { Person } from './person.ts'
import type { World } from './world.ts'

/** Long lists of the demo account, as in an account with thousands of zones. */

/**
 * Adds zones `n0000.long.example` and so on, as the module zones leaves them. Adding them one after another would take minutes. The nameservers need
 * not have them: they count as seen there. Otherwise, the primary would announce them repeatedly, and nothing else in the meantime.
 */
export async function addManyZones(world: World, count: number): Promise<void> {
  await withOwner(world, (client) =>
    client.query(
      `with made as (
         insert into zones (name, account_id, state, origin, serial, rrset_count, catalog_label, live_at)
         select 'n' || lpad(i::text, 4, '0') || '.long.example', a.id, 'live', 'added', 1000, 2, md5('long' || i), now()
         from accounts a, generate_series(0, $2::int - 1) i where a.email = $1 returning id
       )
       insert into zone_sightings (zone_id, nameserver, serial, seen_at)
       select made.id, n.name, 1000, now() from made, nameservers n`,
      [world.facts.account.email, count],
    ),
  )
}

/** Changes the database directly, as its owner. */
export async function withOwner({ ownerUrl }: World, change: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await change(client)
  } finally {
    await client.end()
  }
}

/** Imports this many record sets `h0000 A` and so on into a zone. */
export async function addManyRrsets(world: World, zone: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => {
    const name = `h${String(i).padStart(4, '0')}`
    return `${name} 300 IN A 192.0.2.${i % 250}`
  })
  const { status, body } = await world.api.call('POST', `/zones/${zone}/import?mode=replace`, `${lines.join('\n')}\n`)
  assert.equal(status, 200, JSON.stringify(body))
}

/**
 * Gives each zone that `addManyZones` has added this many record sets, named like those of a usual zone: hosts with addresses, aliases and texts. The
 * nameservers need not have them either.
 */
export async function addRecordsToZones({ ownerUrl }: World, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query(
      `insert into zone_rrsets (zone_id, name, type, ttl, records)
       select z.id, host || '.' || z.name, type, 300, array[case type
         when 'A' then '192.0.' || (get_byte(digest, 0)) || '.' || n
         when 'CNAME' then host || '-' || encode(substr(digest, 1, 3), 'hex') || '.cdn.example.net.'
         else '"v=' || host || '; ' || encode(digest, 'hex') || '"' end]
       from zones z cross join generate_series(1, $1::int) n cross join lateral (
         select sha224(convert_to(z.name || n, 'utf8')) as digest,
           coalesce((array['www', 'mail', 'api', 'blog', 'shop', 'dev', 'cdn', 'ftp', '_dmarc', 'selector1._domainkey'])[n], 'host' || n) as host,
           case when n in (9, 10) then 'TXT' when n % 5 = 0 then 'CNAME' else 'A' end as type) made
       where z.name like 'n%.long.example'`,
      [count],
    )
    await client.query(
      `update zones z set rrset_count = r.count, bytes = r.bytes, serial = serial + 1
       from (select zone_id, count(*) as count, sum(length(name) + length(records[1])) as bytes from zone_rrsets group by zone_id) r
       where r.zone_id = z.id and z.name like 'n%.long.example'`,
    )
    await client.query('analyze zone_rrsets')
  } finally {
    await client.end()
  }
}

/** The number of rows of the page's table that are in the document, including its header. */
export async function rowsInDocument({ page }: Person): Promise<number> {
  return await page.getByRole('row').count()
}

/** Scrolls to a share of the page's height, and waits until that has been drawn. */
export async function scrollToShare({ page }: Person, share: number): Promise<void> {
  await page.evaluate(
    (part) =>
      new Promise<void>((done) => {
        scrollTo(0, document.documentElement.scrollHeight * part)
        requestAnimationFrame(() => requestAnimationFrame(() => done()))
      }),
    share,
  )
}

/** Waits until the list has been read to its end: this many items, as the page counts them. */
export async function listIsWhole({ page }: Person, count: number): Promise<void> {
  await page.waitForFunction(
    (text) =>
      [...document.querySelectorAll('main [role=status]')].some(
        ({ textContent }) => textContent?.startsWith(text) && !textContent.includes('loading more'),
      ),
    `${count.toLocaleString('en')} `,
  )
}

/**
 * Presses a key in the open palette, and returns the milliseconds from the key to the first frame after the results of the new text are in the
 * document. Fails if that takes longer than 10 s.
 */
export async function timeOfSearch({ page }: Person, key: string): Promise<number> {
  const watch = await page.evaluateHandle(() => {
    const patienceMs = 10_000
    const answered = new Promise<number>((resolve, reject) => {
      const heard = ({ timeStamp }: KeyboardEvent): void => {
        const look = (): void => {
          const text = document.querySelector<HTMLInputElement>('[role=dialog] [role=combobox]')?.value.trim()
          const shown = document.querySelector<HTMLElement>('[role=dialog] [role=listbox]')?.dataset['shown']
          if (shown === text) requestAnimationFrame(() => resolve(performance.now() - timeStamp))
          else if (performance.now() - timeStamp > patienceMs) reject(new Error(`No results for ${text}`))
          else requestAnimationFrame(look)
        }
        // Checks after the field has the text.
        requestAnimationFrame(look)
      }
      addEventListener('keydown', heard, { capture: true, once: true })
    })
    return { answered }
  })
  await page.keyboard.press(key)
  return await watch.evaluate(({ answered }) => answered)
}

/**
 * Presses a key in the filter, and returns the milliseconds from the key to the first frame after the page has updated the count. A key that changes
 * no count within 10 s fails.
 */
export async function timeOfKey({ page }: Person, key: string): Promise<number> {
  // The listener is installed in a separate step, because the key must not be pressed before it exists.
  const watch = await page.evaluateHandle(() => {
    const patienceMs = 10_000
    const count = (): string =>
      [...document.querySelectorAll('main [role=status]')].map(({ textContent }) => textContent).join('|')
    const answered = new Promise<number>((resolve, reject) => {
      const heard = ({ timeStamp }: KeyboardEvent): void => {
        const before = count()
        const look = (): void => {
          if (count() !== before) requestAnimationFrame(() => resolve(performance.now() - timeStamp))
          else if (performance.now() - timeStamp > patienceMs) reject(new Error(`The key left the count at ${before}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }
      addEventListener('keydown', heard, { capture: true, once: true })
    })
    return { answered }
  })
  await page.keyboard.press(key)
  return await watch.evaluate(({ answered }) => answered)
}
