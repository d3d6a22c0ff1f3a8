// Pages that are read without signing in: the documentation, and the page at the root of the site.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peopleForTests, RegistryOffice, testedDevices, worldForTests } from '../world/index.ts'

const name = 'Ngozi & Daughters DNS'
const status = 'https://status.example.net/'
const world = await worldForTests({
  env: { SERVICE_NAME: name, SERVICE_COLOR: '#1d4ed8', SERVICE_LINKS: `Status=${status}` },
})
const personAt = await peopleForTests(world)
const office = await RegistryOffice.of(world)
const site = world.facts.base_url
const tld = world.facts.registry.tlds[0] ?? 'test'

interface ReadPage {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

const read = async (path: string): Promise<ReadPage> => {
  const answer = await fetch(new URL(path, site), { redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

const linksOf = (text: string): string[] =>
  [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))

test('every link in the documentation leads to a page, and to a part of the page if it names one', async () => {
  const pages = new Map<string, ReadPage>()
  const pageAt = async (path: string): Promise<ReadPage> => {
    const page = pages.get(path) ?? (await read(path))
    pages.set(path, page)
    return page
  }
  const waiting = ['/docs', '/']
  const broken: string[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { text } = await pageAt(path)
    for (const link of linksOf(text)) {
      const url = new URL(link, new URL(path, site))
      if (url.origin !== new URL(site).origin) continue
      const isSeen = pages.has(url.pathname)
      const target = await pageAt(url.pathname)
      if (target.status !== 200) broken.push(`${path}: ${link} (${target.status})`)
      else if (url.hash !== '' && !target.text.includes(`id="${decodeURIComponent(url.hash.slice(1))}"`))
        broken.push(`${path}: ${link}`)
      if (!isSeen && url.pathname.startsWith('/docs/') && !url.pathname.startsWith('/docs/examples/'))
        waiting.push(url.pathname)
    }
  }
  assert.deepEqual(broken, [])
  const docs = [...pages].filter(([path]) => path.startsWith('/docs'))
  assert.ok(docs.length > 40, `${docs.length} pages`)
  for (const [path, { text, headers }] of docs) {
    if (path.startsWith('/docs/examples/')) continue
    assert.match(text, /<h1>/, path)
    assert.doesNotMatch(text, /<script|<style|style="/, path)
    assert.equal(headers.get('content-security-policy')?.includes("default-src 'none'; style-src 'self'"), true, path)
    assert.match(text, /Ngozi &amp; Daughters DNS/, path)
  }
})

test('errors of the API link to the documentation of their code', async () => {
  const { headers, text } = await read('/api/v1/zones')
  const [, target = ''] = /^<([^>]+)>; rel="help"$/.exec(headers.get('link') ?? '') ?? []
  assert.equal(target, `/docs/errors#${(JSON.parse(text) as { error: { code: string } }).error.code}`)
  const { text: page } = await read('/docs/errors')
  assert.match(page, new RegExp(`id="${target.split('#')[1]}"`))
  const { status: missing, text: missingPage } = await read('/docs/nothing-here')
  assert.equal(missing, 404)
  assert.match(missingPage, /<h1>Page not found<\/h1>/)
})

for (const device of testedDevices) {
  test(`the documentation is readable without scripts, in light and dark, on a ${device}`, async () => {
    const person = await personAt(device)
    await person.page.goto('/docs')
    await person.heading('Documentation').waitFor()
    await person.check('docs')
    if (device === 'phone') await person.page.getByText('All pages').click()
    await person.page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Errors' }).click()
    await person.heading('Errors').waitFor()
    await person.check('docs-page')
    await person.page.emulateMedia({ colorScheme: device === 'phone' ? 'light' : 'dark' })
    await person.check('docs-page-other-colors')
    await person.page.goto('/docs/nothing')
    person.expects(/status of 404/)
    await person.heading('Page not found').waitFor()
    await person.check('docs-not-found')
    await person.page.context().close()
  })

  test(`a person who is not signed in searches for a name, and sees prices and the operator’s name, on a ${device}`, async () => {
    const taken = `bakery-${device}.${tld}`
    await office.registerElsewhere(taken)
    const person = await personAt(device)
    await person.page.goto('/')
    await person.heading('Your domain and its DNS in one place').waitFor()
    assert.match(await person.page.title(), /Ngozi & Daughters DNS$/)
    assert.equal(await person.link('Sign in').getAttribute('href'), '/app/sign-in')
    await person.check('landing')
    await person.page.emulateMedia({ colorScheme: device === 'phone' ? 'light' : 'dark' })
    await person.check('landing-other-colors')
    assert.equal(await person.page.getByRole('link', { name: 'Status' }).first().getAttribute('href'), status)
    const field = person.page.getByRole('searchbox', { name: 'Name' })
    await field.fill(`https://www.${taken}/cakes`)
    await field.press('Enter')
    await person.link(`Transfer ${taken} here`).waitFor()
    await person.page.getByRole('searchbox', { name: 'Name' }).fill(`fresh-${device}`)
    await person.page.getByRole('searchbox', { name: 'Name' }).press('Enter')
    await person.link(`Buy fresh-${device}.${tld}`).waitFor()
    const shown = await person.page.getByText(`fresh-${device}.${tld}`, { exact: true }).boundingBox()
    assert.ok(shown !== null && shown.height < 40, 'a name is in one line')
    await person.check('landing-found')
    await person.link(`Buy fresh-${device}.${tld}`).click()
    person.expects(/status of 401/)
    await person.heading('Sign in').waitFor()
    await person.sees(name)
    await person.check('sign-in-branded')
    await person.page.context().close()
  })
}

test('a signed-in person gets from the root of the site to the dashboard, and from its menu to the documentation', async () => {
  const person = await personAt('desktop')
  await person.signIn()
  await person.page.goto('/')
  await person.heading('Zones').waitFor()
  assert.equal(await person.link('Documentation').getAttribute('href'), '/docs')
  assert.equal(await person.page.title(), `Zones · ${name}`)
  await person.check('zones-branded')
  await person.page.context().close()
})
