import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import {
  type Behaviour,
  buyerContact,
  eventually,
  faultyProxyForTests,
  isNightly,
  type Person,
  peopleForTests,
  sharedPersonForTests,
  worldForTests,
} from '../world/index.ts'

const parent = 'free.example.org'
const proxy = await faultyProxyForTests(await worldForTests({ env: { FREE_PARENTS: parent } }))
const { world } = proxy
const personAt = await peopleForTests(world)
const email = world.facts.account.email
const zone = 'faulty.example.org'
for (const name of [parent, zone]) await world.admin('zone', 'add', email, name)

/** The tests share a signed-in person; each test only opens the page again. The page's clock can be moved forward. */
const somebody = sharedPersonForTests(async () => {
  const person = await personAt('desktop')
  await person.page.clock.install()
  await person.signIn()
  person.expects(/Failed to load resource/, /did not answer|could not be reached|too many requests|not reachable/)
  return person
})

/** What can happen to the requests of a page, at a proxy in front of the API or on the way to it. */
const faults = {
  'that it asks too often': {
    status: 429,
    body: '<html><h1>429 Too Many Requests</h1></html>',
    headers: { 'retry-after': '1' },
  },
  'a 502 of a proxy': { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' },
  'that the service is unavailable': {
    status: 503,
    body: '{"error":{"code":"unavailable","message":"The database is not reachable. Try again.","request_id":"req_1"}}',
    headers: { 'content-type': 'application/json; charset=utf-8' },
  },
  'a broken connection': 'reset',
  'a response that is lost': 'lose',
  'no response': 'hang',
} as const satisfies Record<string, Behaviour>
type Fault = keyof typeof faults
const faultNames = Object.keys(faults) as Fault[]

/** A job in progress: the page has what was typed, and one action sends it. */
interface Begun {
  readonly act: () => Promise<void>
  /** What was typed is still there. */
  readonly keeps: () => Promise<void>
  /** The one action that completes the job after the fault. Default: `act` again. */
  readonly again?: () => Promise<void>
  /** What the page shows once the job is done. */
  readonly done: Locator
  /** Leaves the page as it was before the job. */
  readonly leave?: () => Promise<void>
  /** How often the change was made. */
  readonly timesMade: () => Promise<number>
}

interface Job {
  readonly name: string
  readonly begin: (person: Person) => Promise<Begun>
}

/** The version of the zone, which increases by one with each change. */
async function version(): Promise<number> {
  const { headers } = await world.api.call('GET', `/zones/${zone}/rrsets?limit=1`)
  return Number(/\d+/.exec(headers.get('etag') ?? '')?.[0])
}

async function timesChanged(): Promise<() => Promise<number>> {
  const before = await version()
  return async () => (await version()) - before
}

let hosts = 0
let addresses = 0
const newHost = (): string => `host-${++hosts}`
const dialogOf = ({ page }: Person): Locator => page.getByRole('dialog')

/** An edit is kept in the zone’s unsaved changes, and saved there. A repeat of a change that was already made is reported as such. */
function savedBelow(person: Person, act: () => Promise<void>, timesMade: () => Promise<number>): Begun {
  const isSo = person.page.getByText('The records are already as you want them')
  return {
    act,
    keeps: () => person.sees('1 unsaved change'),
    again: () => person.button('Save 1 change').click(),
    done: person.page.getByText('Saved. ').or(isSo).first(),
    leave: async () => {
      if (!(await isSo.isVisible())) return
      await person.button('Continue').click()
      await person.button('Close').last().click()
      await person.seesNot(person.page.getByText('unsaved change'))
    },
    timesMade,
  }
}

const jobs: readonly Job[] = [
  {
    name: 'add a record',
    begin: async (person) => {
      await person.open(`/zones/${zone}`)
      const timesMade = await timesChanged()
      await person.button('Add records').click()
      await person.field('Name').fill(newHost())
      await person.field('IPv4 address').fill('192.0.2.1')
      return savedBelow(person, () => person.page.keyboard.press('Enter'), timesMade)
    },
  },
  {
    name: 'edit a record',
    begin: async (person) => {
      const host = newHost()
      await world.api.put(zone, host, 'A', ['192.0.2.1'])
      const timesMade = await timesChanged()
      await person.open(`/zones/${zone}`)
      await person.button(`Edit ${host} A`).click()
      await person.field('IPv4 address').fill('192.0.2.2')
      return savedBelow(person, () => person.page.keyboard.press('Enter'), timesMade)
    },
  },
  {
    name: 'delete a record',
    begin: async (person) => {
      const host = newHost()
      await world.api.put(zone, host, 'A', ['192.0.2.1'])
      const timesMade = await timesChanged()
      await person.open(`/zones/${zone}`)
      await person.button(`Delete ${host} A`).click()
      await person.button('Save 1 change').waitFor()
      return savedBelow(person, () => person.page.keyboard.press('Control+Enter'), timesMade)
    },
  },
  {
    name: 'undo a change',
    begin: async (person) => {
      const host = newHost()
      await person.open(`/zones/${zone}`)
      await person.button('Add records').click()
      await person.field('Name').fill(host)
      await person.field('IPv4 address').fill('192.0.2.1')
      await person.page.keyboard.press('Enter')
      await person.button('Undo').waitFor()
      return {
        act: () => person.button('Undo').click(),
        keeps: () => person.button(`Edit ${host} A`).waitFor(),
        done: person.page.getByText('Undone. '),
        timesMade: await timesChanged(),
      }
    },
  },
  {
    name: 'change the TTL of records',
    begin: async (person) => {
      const host = newHost()
      await world.api.put(zone, host, 'A', ['192.0.2.1'], 300)
      const timesMade = await timesChanged()
      await person.open(`/zones/${zone}`)
      await person.field(`Select ${host} A`).click()
      await person.button('Change TTL').click()
      await dialogOf(person).getByLabel('TTL in seconds').fill('600')
      return savedBelow(person, () => person.page.keyboard.press('Enter'), timesMade)
    },
  },
  ...[false, true].map(
    (isSeen): Job => ({
      name: `apply a preset${isSeen ? '' : ': see what it changes'}`,
      begin: async (person) => {
        const host = newHost()
        await person.open(`/zones/${zone}/presets?q=netlify`)
        await person.button('Set up Netlify website').click()
        const dialog = dialogOf(person)
        const subdomain = dialog.getByLabel(/^Subdomain/)
        await subdomain.fill(host)
        await dialog.getByLabel(/Name of the site/).fill('my-site')
        const apply = dialog.getByRole('button', { name: 'Apply' })
        const timesMade = await timesChanged()
        if (isSeen) {
          await person.page.keyboard.press('Enter')
          await apply.waitFor()
        }
        return {
          act: () => dialog.getByRole('button', { name: /^Apply$|^Show what/ }).click(),
          keeps: async () => assert.equal(await subdomain.inputValue(), host),
          done: isSeen ? person.button(`Edit www.${host} CNAME`) : apply,
          timesMade: isSeen ? timesMade : once,
        }
      },
    }),
  ),
  ...[false, true].map(
    (isSeen): Job => ({
      name: `import a zone file${isSeen ? '' : ': see what it changes'}`,
      begin: async (person) => {
        const host = newHost()
        await person.open(`/zones/${zone}/import`)
        const file = person.field('Zone file')
        await file.fill(`${host} 300 IN A 192.0.2.81`)
        const show = person.button('Show what would change')
        const timesMade = await timesChanged()
        const apply = person.button('Apply this change')
        if (isSeen) await show.click()
        return {
          act: () => (isSeen ? apply : show).click(),
          keeps: async () => assert.match(await file.inputValue(), new RegExp(`^${host} `)),
          done: isSeen ? person.button(`Edit ${host} A`) : apply,
          timesMade: isSeen ? timesMade : once,
        }
      },
    }),
  ),
  ...[false, true].map(
    (isSeen): Job => ({
      name: `restore a version${isSeen ? '' : ': see what it changes'}`,
      begin: async (person) => {
        const host = newHost()
        await world.api.put(zone, host, 'A', ['192.0.2.1'])
        await person.open(`/zones/${zone}/history`)
        const before = await version()
        const button = `Restore version ${before - 1}`
        const goBack = person.button(button)
        await goBack.waitFor()
        const apply = dialogOf(person).getByRole('button', { name: button })
        const changes = dialogOf(person).getByRole('list', { name: 'Changes' })
        if (isSeen) {
          await goBack.click()
          await changes.waitFor()
        }
        return {
          act: () => (isSeen ? apply : goBack).click(),
          keeps: () => apply.waitFor(),
          ...(!isSeen && { again: () => dialogOf(person).getByRole('button', { name: 'Try again' }).click() }),
          done: isSeen ? person.page.getByText(`The records are as in version ${before - 1} again.`) : changes,
          timesMade: isSeen ? async () => (await version()) - before : once,
        }
      },
    }),
  ),
  ...[false, true].map(
    (isSeen): Job => ({
      name: `replace a value${isSeen ? '' : ': see what it changes'}`,
      begin: async (person) => {
        const old = `198.51.100.${++addresses}`
        await world.api.put(zone, newHost(), 'A', [old])
        await person.open('/zones/replace')
        const from = person.field('Old value')
        await from.fill(old)
        await person.field('New value').fill('203.0.113.1')
        const timesMade = await timesChanged()
        const [show, apply] = [person.button('Show what would change'), person.button('Apply to 1 zone')]
        if (isSeen) {
          await show.click()
          await apply.waitFor()
        }
        return {
          act: () => (isSeen ? apply : show).click(),
          keeps: async () => {
            assert.equal(await from.inputValue(), old)
            if (isSeen) await person.sees(/no zone is changed twice/)
          },
          done: isSeen ? person.page.getByText('1 zone changed.') : apply,
          timesMade: isSeen ? timesMade : once,
        }
      },
    }),
  ),
  ...[false, true].map(
    (isSeen): Job => ({
      name: `apply a preset to many zones${isSeen ? '' : ': see what it changes'}`,
      begin: async (person) => {
        const host = newHost()
        await person.open(`/zones/preset?zones=${zone}`)
        const preset = person.page.getByRole('combobox', { name: 'Preset' })
        await preset.fill('Netlify')
        await person.page.keyboard.press('Enter')
        const subdomain = person.field(/^Subdomain/)
        await subdomain.fill(host)
        await person.field(/Name of the site/).fill('my-site')
        const timesMade = await timesChanged()
        const [show, apply] = [person.button('Show what would change'), person.button('Apply to 1 zone')]
        if (isSeen) {
          await show.click()
          await apply.waitFor()
        }
        return {
          act: () => (isSeen ? apply : show).click(),
          keeps: async () => assert.equal(await subdomain.inputValue(), host),
          done: isSeen ? person.page.getByText('1 zone changed.') : apply,
          timesMade: isSeen ? timesMade : once,
        }
      },
    }),
  ),
  {
    name: 'create a webhook endpoint',
    begin: async (person) => {
      const url = new URL(newHost(), world.facts.receiver_url).href
      await person.open('/webhooks')
      await person.button('Add an endpoint').click()
      const address = person.field(/^URL/)
      await address.fill(url)
      const endpoints = async () => {
        const { body } = await world.api.call<{ data: { id: string; url: string }[] }>('GET', '/webhooks?limit=200')
        return body.data.filter((each) => each.url === url)
      }
      return {
        act: () => person.button('Add the endpoint').click(),
        keeps: async () => assert.equal(await address.inputValue(), url),
        done: person
          .heading(/^The secret of/)
          .or(person.page.getByText('The endpoint was added without its secret'))
          .first(),
        timesMade: async () => (await endpoints()).length,
        leave: async () => {
          for (const { id } of await endpoints()) await world.api.call('DELETE', `/webhooks/${id}`)
        },
      }
    },
  },
  {
    name: 'restrict an API key',
    begin: async (person) => {
      const name = newHost()
      const permissions = 'records:read,records:write'
      await world.admin('key', 'create', email, name, '--zones', zone, '--permissions', permissions)
      await person.open('/api-keys')
      await person.button(`Restrict ${name}`).click()
      const box = dialogOf(person).getByRole('checkbox', { name: 'records:write' })
      await box.uncheck()
      return {
        act: () => dialogOf(person).getByRole('button', { name: 'Restrict the key' }).click(),
        keeps: async () => assert.equal(await box.isChecked(), false),
        done: person.page.getByText(`The key ${name} is restricted.`),
        timesMade: once,
      }
    },
  },
  {
    name: 'turn off optional emails',
    begin: async (person) => {
      await person.open('/account')
      const button = (checked: boolean) =>
        person.page.getByRole('switch', { name: 'Optional emails: Domains', checked })
      await button(true).waitFor()
      return {
        act: () => button(true).click({ force: true }),
        keeps: () => button(true).waitFor(),
        done: button(false).and(person.page.locator(':enabled')),
        leave: async () => {
          await button(false).click({ force: true })
          await button(true).and(person.page.locator(':enabled')).waitFor()
        },
        timesMade: once,
      }
    },
  },
  {
    name: 'add a zone',
    begin: async (person) => {
      const name = `${newHost()}.example.com`
      await person.open('/zones/add')
      await person.field('Domain').fill(name)
      await person.sees(/You can add|You can nevertheless|is hosted/)
      return {
        act: () => person.button('Add the domain').click(),
        keeps: async () => assert.equal(await person.field('Domain').inputValue(), name),
        done: person.page.getByText('Verify that the domain is yours'),
        timesMade: () => zonesNamed(name),
      }
    },
  },
  {
    name: 'claim a free subdomain',
    begin: async (person) => {
      const label = newHost()
      const name = `${label}.${parent}`
      await person.open('/zones/add')
      await person.field('Name').fill(label)
      await person.sees(`${name} is available`)
      return {
        act: () => person.button('Claim it').click(),
        keeps: async () => assert.equal(await person.field('Name').inputValue(), label),
        done: person.heading(name),
        timesMade: async () => {
          const times = await zonesNamed(name)
          // An account may have three. Only a person or an operator can delete a zone.
          await world.admin('zone', 'delete', name)
          return times
        },
      }
    },
  },
  {
    name: 'scan the current records',
    begin: async (person) => {
      const name = `${newHost()}.example.org`
      await world.admin('zone', 'add', email, name)
      await person.open(`/zones/${name}/import`)
      const find = person.button('Find the records')
      await find.waitFor()
      return {
        act: () => find.click(),
        keeps: () => find.waitFor(),
        // From here, no nameserver of another provider can be queried.
        done: person.button('Search again').or(person.page.getByText('Asking the nameservers')).first(),
        timesMade: async () => {
          const { body } = await world.api.call('GET', `/zones/${name}/scan`)
          return body['state'] === 'none' ? 0 : 1
        },
      }
    },
  },
  {
    name: 'resend a delivery',
    begin: async (person) => {
      const path = `/webhooks/${world.facts.webhook.id}/deliveries/${tested.delivery}`
      const attempts = async () => (await world.api.call<{ attempts: unknown[] }>('GET', path)).body.attempts.length
      const before = await attempts()
      await person.open(path)
      await person.page.getByRole('region', { name: `Attempt ${before}`, exact: true }).waitFor()
      return {
        act: () => person.button('Resend').click(),
        keeps: () => person.heading('Delivery of ping').waitFor(),
        done: person.page.getByRole('region', { name: `Attempt ${before + 1}`, exact: true }),
        timesMade: async () => (await attempts()) - before,
      }
    },
  },
  {
    name: 'go from a badge to its step',
    begin: async (person) => {
      await person.open('/zones')
      const row = person.page.getByRole('row').filter({ hasText: zone })
      const badge = row.getByRole('link', { name: 'Not delegated yet', exact: true })
      await badge.waitFor()
      const done = person.page.getByRole('list', { name: 'Nameservers to set' })
      return {
        act: () => badge.click(),
        keeps: async () => assert.match(person.page.url(), new RegExp(zone)),
        again: () => person.triesAgain(done),
        done,
        timesMade: once,
      }
    },
  },
]

/** For jobs that change nothing. */
const once = (): Promise<number> => Promise.resolve(1)

async function zonesNamed(name: string): Promise<number> {
  const { body } = await world.api.call<{ data: { name: string }[] }>('GET', `/zones?limit=200`)
  return body.data.filter((each) => each.name === name).length
}

const isOfApi = (path: string): boolean => path.startsWith('/api/')

/** Each job with one fault, and each fault with at least one job; all combinations in `npm run nightly`. */
function pairsOf<T>(subjects: readonly T[]): readonly (readonly [T, Fault])[] {
  return subjects.flatMap((subject, i) =>
    faultNames
      .filter((_, at) => isNightly || at === i % faultNames.length)
      .map((fault): readonly [T, Fault] => [subject, fault]),
  )
}

for (const [job, fault] of pairsOf(jobs))
  test(`${job.name}: the page reports ${fault}, loses nothing, and the next try completes the job`, async () => {
    const person = await somebody()
    proxy.behave(() => 'pass')
    const { act, keeps, again = act, done, leave, timesMade } = await job.begin(person)
    proxy.behave((path) => (isOfApi(path) ? faults[fault] : 'pass'))
    await act()
    await saysWhatHappened(person)
    await keeps()
    await isNotBusy(person)
    proxy.behave(() => 'pass')
    await again()
    await laterIs(person, 'the job is done', () => done.isVisible())
    assert.equal(await timesMade(), 1)
    await leave?.()
    person.assertQuiet()
  })

test('a job with a slow response says so, and completes without another try', async () => {
  const person = await somebody()
  // The jobs above have left so many records that the list does not hold all of its rows, and those of the next jobs are not among them.
  const rrsets = [{ name: 'kept', type: 'A', ttl: 60, records: ['192.0.2.1'] }]
  assert.equal((await world.api.call('POST', `/zones/${zone}/import?mode=replace`, { rrsets })).status, 200)
  for (const job of isNightly ? jobs : jobs.slice(0, 1)) {
    proxy.behave(() => 'pass')
    const { act, done, timesMade } = await job.begin(person)
    const answers = Promise.withResolvers<void>()
    proxy.behave((path) => (isOfApi(path) ? { after: answers.promise } : 'pass'))
    await act()
    const notice = person.page.getByText(/(service|This) is taking longer than usual/)
    await laterIs(person, 'the page says that it takes long', () => notice.first().isVisible())
    answers.resolve()
    proxy.behave(() => 'pass')
    await done.waitFor()
    await person.seesNot(notice)
    assert.equal(await timesMade(), 1, job.name)
  }
  person.assertQuiet()
})

const { body: tested } = await world.api.call<{ delivery: string }>(
  'POST',
  `/webhooks/${world.facts.webhook.id}/test`,
  {},
)

/** Every page of the dashboard, with its heading. */
const pages: readonly (readonly [string, string])[] = [
  ['/zones', 'Zones'],
  ['/zones/add', 'Add a zone'],
  ['/zones/deleted', 'Deleted zones'],
  [`/zones/preset?zones=${zone}`, 'Apply a preset'],
  ...['', '/import', '/presets', '/history', '/health', '/secondaries', '/sharing', '/settings'].map(
    (path) => [`/zones/${zone}${path}`, zone] as const,
  ),
  ['/domains', 'Domains'],
  ['/buy', 'Buy a domain'],
  ['/buy/some-name.test', 'Register some-name.test'],
  ['/orders', 'Orders'],
  ['/contacts', 'Contacts'],
  ['/credit', 'Credit'],
  ['/api-keys', 'API keys'],
  ['/connect-a-client?client=certbot', 'Connect certbot'],
  ['/webhooks', 'Webhooks'],
  [`/webhooks/${world.facts.webhook.id}`, 'Webhook endpoint'],
  [`/webhooks/${world.facts.webhook.id}/deliveries/${tested.delivery}`, 'Delivery of ping'],
  ['/audit-log', 'Audit log'],
  ['/account', 'Account'],
  ['/domains/renew', 'Renew domains'],
  [`/zones/${zone}/history?version=1`, zone],
  ['/api-keys?key=key_0', 'API keys'],
  ['/notifications?token=of-nobody', 'This link no longer works'],
]

for (const [[path, heading], fault] of pairsOf(pages))
  test(`${path}: a first load reports ${fault}, and continues from there`, async () => {
    const person = await somebody()
    // The frame of the page is loaded, but the page's own data is not.
    proxy.behave((asked) => (isOfApi(asked) && !asked.endsWith('/account') ? faults[fault] : 'pass'))
    await person.open(path)
    await saysWhatHappened(person)
    const retry = person.button('Try again')
    await laterIs(person, 'the page offers to try again', () => retry.first().isVisible())
    proxy.behave(() => 'pass')
    await eventually(`${path} works`, async () => {
      await person.page.clock.fastForward(1_000)
      if (await retry.first().isVisible())
        await retry
          .first()
          .click({ timeout: 1_000 })
          .catch(() => undefined)
      return (
        (await person.page.getByRole('alert').filter({ hasText: failing }).count()) === 0 &&
        (await retry.count()) === 0 &&
        (await person.heading(heading).first().isVisible())
      )
    })
    person.assertQuiet()
  })

test('a bulk renewal with refused, lost and unanswered orders continues automatically and renews each domain once', async () => {
  const names = ['bulk-1.test', 'bulk-2.test', 'bulk-3.test', 'bulk-4.test']
  await world.admin('credit', 'grant', email, '100000000')
  const contact = await world.api.call<{ id: string }>('POST', '/contacts', { ...buyerContact, name: 'Ada Obi' })
  const registered = names.map(async (name) => {
    const quote = await world.api.call<{ id: string }>('POST', '/quotes', { kind: 'register', name })
    const order = { quote_id: quote.body.id, contact_id: contact.body.id, use_credit: true }
    assert.equal((await world.api.call('POST', '/orders', order)).status, 201)
    await eventually(`${name} is here`, async () => (await world.api.call('GET', `/domains/${name}`)).status === 200)
  })
  await Promise.all(registered)
  const person = await somebody()
  proxy.behave(() => 'pass')
  await person.open('/domains?q=bulk-')
  await person.field('Select all').click()
  await person.link('Renew').click()
  await person.button('Renew 4 domains').waitFor()
  let orders = 0
  const met = [faults['a 502 of a proxy'], 'lose', faults['that it asks too often'], 'hang', 'reset'] as const
  proxy.behave((path, method) => (path === '/api/v1/orders' && method === 'POST' ? (met[orders++] ?? 'pass') : 'pass'))
  await person.button('Renew 4 domains').click()
  await person.sees(/Trying again in \d+ s/)
  await laterIs(person, 'all are ordered', () => person.page.getByText('4 domains ordered').isVisible())
  assert.ok(orders > met.length, `${orders} requests`)
  const { body } = await world.api.call<{ data: { kind: string; name: string }[] }>('GET', '/orders?limit=200')
  const renewed = body.data.filter(({ kind, name }) => kind === 'renew' && names.includes(name))
  assert.deepEqual(renewed.map(({ name }) => name).sort(), names)
  person.assertQuiet()
})

/** What a failure tells people to do. */
const failing = /[Tt]ry again|Check the connection|[Rr]eload/
/** Text for programs, or from another program. */
const forPrograms =
  /<\/?[a-z0-9]+>|Bad Gateway|Too Many Requests|Authorization|Bearer|JSON|\bundefined\b|(^|\s)\/[a-z_]+\/\d/

/** The page has an alert that says in words for people what happened, and what to do; it contains no text for programs. */
async function saysWhatHappened(person: Person): Promise<void> {
  const alert = person.page.getByRole('alert').filter({ hasText: failing })
  await laterIs(person, 'the page says what happened', () => alert.first().isVisible())
  for (const text of await person.page.getByRole('alert').allInnerTexts()) assert.doesNotMatch(text, forPrograms)
  assert.doesNotMatch((await person.page.locator('main').first().innerText()) ?? '', forPrograms)
}

/** No button shows its loader, and nothing is pending. */
async function isNotBusy(person: Person): Promise<void> {
  await laterIs(person, 'nothing is awaited', async () => (await person.page.locator('[data-loading]').count()) === 0)
}

/** Waits for something, and speeds up the page's clock to its time limits and its next retries. */
async function laterIs(person: Person, what: string, look: () => Promise<boolean>): Promise<void> {
  await eventually(what, async () => {
    if (await look()) return true
    await person.page.clock.fastForward(2_000)
    return await look()
  })
}
