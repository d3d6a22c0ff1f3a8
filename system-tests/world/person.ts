import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import axe from 'axe-core'
import type { APIResponse, Browser, BrowserContext, Locator, Page, Route } from 'playwright-core'
import { freshCode } from './browser.ts'
import { launchChromium } from './chromium.ts'
import { patienceMs } from './eventually.ts'
import { newcomerPassword } from './newcomer.ts'
import { isNightly } from './nightly.ts'
import type { World } from './world.ts'

/** A person's device: its size, its input and its preferred colors. */
const devices = {
  desktop: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  phone: {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  },
} as const

export type Device = keyof typeof devices

/** The devices for the tests of a page: `npm run nightly` uses a phone as well. */
export const testedDevices: readonly Device[] = isNightly ? ['desktop', 'phone'] : ['desktop']

/** The folder for pictures, if the run keeps them: `npm run pictures`. */
const pictures = process.env['DASHBOARD_PICTURES']

/** The browser that the test files of this process share, once the first of them has requested it. */
let shared: Promise<Browser> | undefined

/** People at the dashboard of a world, for the tests of one file. They share a browser and the account's session, and nothing else. */
export async function peopleForTests(world: World): Promise<(device: Device) => Promise<Person>> {
  shared ??= launchedForTests()
  return peopleIn(await shared, world)
}

/** One person whom the tests of a file share, and who arrives with the first test. */
export function sharedPersonForTests(arrive: () => Promise<Person>): () => Promise<Person> {
  let arriving: Promise<Person> | undefined
  after(async () => (await arriving)?.page.context().close())
  return () => {
    arriving ??= arrive()
    return arriving
  }
}

async function launchedForTests(): Promise<Browser> {
  const browser = await launchChromium()
  after(() => browser.close())
  return browser
}

/** The same without tests: for a bench, which closes the browser itself. */
export async function peopleAt(
  world: World,
): Promise<{ at: (device: Device) => Promise<Person>; close: () => Promise<void> }> {
  const browser = await launchChromium()
  return { at: peopleIn(browser, world), close: () => browser.close() }
}

function peopleIn(browser: Browser, world: World): (device: Device) => Promise<Person> {
  const session: KeptSession = {}
  return (device) => Person.at(world, browser, device, session)
}

/** The session of the world's account that the people of a file share, once there is one: a new code is shown only every 30 s. */
interface KeptSession {
  cookies?: Awaited<ReturnType<BrowserContext['cookies']>>
}

/**
 * A person at the dashboard in a real Chromium. Console errors and exceptions of the page fail the current test: `assertQuiet`, which `check` calls,
 * reports them. Errors that a test provokes must be announced first (`expects`).
 */
export class Person {
  readonly page: Page
  readonly device: Device
  readonly #world: World
  readonly #session: KeptSession
  readonly #complaints: string[] = []
  readonly #expected: RegExp[] = []

  private constructor(world: World, device: Device, page: Page, session: KeptSession) {
    this.#world = world
    this.#session = session
    this.device = device
    this.page = page
    page.setDefaultTimeout(patienceMs)
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        this.#complaints.push(`${message.text()} (${message.location().url})`)
    })
    page.on('pageerror', (error) => this.#complaints.push(String(error.stack ?? error)))
  }

  static async at(world: World, browser: Browser, device: Device, session: KeptSession): Promise<Person> {
    const context: BrowserContext = await browser.newContext({
      ...devices[device],
      baseURL: world.facts.base_url,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    return new Person(world, device, await context.newPage(), session)
  }

  /** Another page of the same person: a second tab. */
  async anotherTab(): Promise<Person> {
    return new Person(this.#world, this.device, await this.page.context().newPage(), this.#session)
  }

  /** Goes to a page of the dashboard. */
  async open(path: string): Promise<void> {
    await this.page.goto(`/app${path}`)
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' })
  }

  /** Clicks "Try again", on the page or in a part of it, and waits for what must then appear. */
  async triesAgain(appears: Locator, place: Page | Locator = this.page): Promise<void> {
    const clicked = place.getByRole('button', { name: 'Try again', exact: true }).first().click()
    clicked.catch(() => undefined)
    // The page may have just retried automatically, so its button may be gone.
    await Promise.race([clicked, appears.waitFor()])
    await appears.waitFor()
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' })
  }

  field(label: string | RegExp): Locator {
    return this.page.getByLabel(label, { exact: typeof label === 'string' })
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { name, exact: typeof name === 'string' })
  }

  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor()
  }

  /** Waits until the page shows this status of its subject. The steps of an order can contain the same text, but they are not a status. */
  async seesStatus(status: string): Promise<void> {
    await this.page.getByRole('status').getByText(status, { exact: true }).waitFor()
  }

  async seesNot(locator: Locator): Promise<void> {
    await locator.first().waitFor({ state: 'detached' })
  }

  /** Signs in with the world's account. The first sign-in of a file uses the form and two-factor authentication; the others share its session. */
  async signIn(): Promise<void> {
    const { account } = this.#world.facts
    if (this.#session.cookies) {
      await this.page.context().addCookies(this.#session.cookies)
      await this.open('/zones')
    } else {
      await this.open('/sign-in')
      await this.field('Email').fill(account.email)
      await this.field('Password').fill(account.password)
      await this.button('Sign in').click()
      await this.field('Code').fill(await this.code())
      await this.button('Continue').click()
    }
    await this.heading('Zones').waitFor()
    this.#session.cookies ??= await this.page.context().cookies()
  }

  /** Signs in as a person that `newcomer` has created. */
  async signInAs(email: string): Promise<void> {
    await this.open('/sign-in')
    await this.field('Email').fill(email)
    await this.field('Password').fill(newcomerPassword)
    await this.button('Sign in').click()
    await this.heading('Zones').waitFor()
  }

  /** A code of the account's authenticator that was not used yet, because each works once. */
  async code(secret = this.#world.facts.account.totp_secret): Promise<string> {
    return await freshCode(secret)
  }

  /** Calls of this address get no response until the returned function is called. */
  async fails(url: string): Promise<() => Promise<void>> {
    await this.page.route(url, (route) => route.abort())
    return () => this.page.unroute(url)
  }

  /** Ends the session when the next change of this path is sent, so that no refresh notices it first and opens a dialog over the button. */
  async losesSessionAt(path: string): Promise<void> {
    const ends = async (route: Route): Promise<void> => {
      if (route.request().method() === 'GET') return route.fallback()
      await this.page.context().clearCookies()
      // The intercepted request already has the cookie.
      const { cookie: _, ...headers } = await route.request().allHeaders()
      await route.fulfill({ response: await route.fetch({ headers }) })
      // Not before the response: unrouting a request lets the browser send it.
      await this.page.unroute(path, ends)
    }
    await this.page.route(path, ends)
  }

  /** The service processes the next request with this method, with this status, but its response is lost. */
  async losesNext(url: RegExp, method: string, status = 200): Promise<void> {
    await this.#withNext(url, method, status, (route) => route.abort())
  }

  /** The service processes the next request with this method, with this status, and its response arrives when `comes` is called. */
  async waitsForNext(
    url: RegExp,
    method: string,
    status = 200,
  ): Promise<{ readonly isAsked: Promise<void>; readonly comes: () => void }> {
    const isAsked = Promise.withResolvers<void>()
    const comes = Promise.withResolvers<void>()
    await this.#withNext(url, method, status, async (route, response) => {
      isAsked.resolve()
      await comes.promise
      await route.fulfill({ response })
    })
    return { isAsked: isAsked.promise, comes: comes.resolve }
  }

  /** The service processes the next request with this method, with this status, and `act` handles its response. */
  async #withNext(
    url: RegExp,
    method: string,
    status: number,
    act: (route: Route, response: APIResponse) => Promise<void>,
  ): Promise<void> {
    let isNext = true
    await this.page.route(url, async (route) => {
      if (!isNext || route.request().method() !== method) return await route.fallback()
      isNext = false
      const response = await route.fetch()
      assert.equal(response.status(), status)
      await act(route, response)
    })
  }

  /** Adds an address, 192.0.2.1, to the unsaved changes of the zone that the page shows. */
  async addUnsaved(name: string): Promise<void> {
    await this.button('Add records').click()
    const form = this.page.getByRole('form', { name: 'New records' })
    await form.getByLabel('Name', { exact: true }).fill(name)
    await form.getByLabel('IPv4 address').fill('192.0.2.1')
    await form.getByRole('button', { name: 'Add to changes' }).click()
    await this.sees('1 unsaved change')
  }

  /** A link to a page above this one. */
  breadcrumb(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name, exact: true })
  }

  /** Waits until the page belongs to this entry of the menu, which is hidden on a phone, and to no other. */
  async seesMenuEntry(name: string): Promise<void> {
    const current = this.page.locator('nav[aria-label=Main] [aria-current=page]')
    await current.filter({ hasText: name }).waitFor({ state: 'attached' })
    assert.equal(await current.count(), 1)
  }

  /** The console errors that are allowed from now on, because the test causes them. */
  expects(...complaints: readonly RegExp[]): void {
    this.#expected.push(...complaints)
  }

  /** Fails if there were complaints that the test did not expect. */
  assertQuiet(): void {
    const unexpected = this.#complaints.filter((complaint) => !this.#expected.some((one) => one.test(complaint)))
    assert.deepEqual(unexpected, [], 'the console of the page')
  }

  /**
   * Checks the current page: its console, axe, and its width; `npm run nightly` does so in light and in dark colors. Keeps pictures of it under this
   * name if the run keeps pictures.
   */
  async check(name: string): Promise<void> {
    this.assertQuiet()
    const { colorScheme } = devices[this.device]
    for (const colors of isNightly ? (['light', 'dark'] as const) : [colorScheme]) {
      await this.page.emulateMedia({ colorScheme: colors })
      await this.#judge(name, colors)
    }
    await this.page.emulateMedia({ colorScheme })
  }

  async #judge(name: string, colors: 'light' | 'dark'): Promise<void> {
    assert.deepEqual(await this.#axe(), [], `axe on ${name} (${this.device}, ${colors})`)
    const { content, view } = await this.page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      view: document.documentElement.clientWidth,
    }))
    assert.ok(content <= view, `${name} is ${content} pixels wide on a ${this.device} of ${view}`)
    if (pictures === undefined) return
    await mkdir(pictures, { recursive: true })
    await this.page.screenshot({ path: join(pictures, `${name}-${this.device}-${colors}.png`), animations: 'disabled' })
  }

  async #axe(): Promise<string[]> {
    await this.page.evaluate(axe.source)
    await this.page.evaluate(whatMovesArrives)
    return await this.page.evaluate(async () => {
      const { axe: judge } = globalThis as unknown as { axe: typeof axe }
      const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const { violations } = await judge.run(document, { runOnly: { type: 'tag', values } })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
      )
    })
  }
}

/**
 * Waits, in the page, until all transitions of colors and positions have ended. Even the shortest transition takes a frame, and until then, a button
 * that has just been enabled has the faint text of a disabled one.
 */
async function whatMovesArrives(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(ending.map(({ finished }) => finished))
}
