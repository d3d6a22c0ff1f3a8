import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { addressView } from '../address.ts'
import { eventually } from '../testing/eventually.ts'
import { keptLog } from '../testing/kept-log.ts'
import { temporaryDirectory } from '../testing/run-secondary.ts'
import { CookieJar, CookieVerdict } from './cookie-jar.ts'
import { keepCookieSecrets, usualSecretTimes } from './cookie-secrets.ts'

const [first, second] = ['e5e973e5a6b2a43f48e7dc849e37bfcf', '445536bcd2513298075a5d379663c962']
const quick = { rotateMs: 20, watchMs: 5 }
const neverMs = 2 ** 31 - 1
const address = addressView('192.0.2.1')

function kept(test: TestContext, file: string | undefined, times = quick) {
  const shared = CookieJar.allocate()
  const log = keptLog()
  test.after(keepCookieSecrets(shared, file, log, times))
  return { jar: new CookieJar(shared), log }
}

/** The cookie that the jar gives to a client whose own cookie is all zeros. */
function cookieOf(jar: CookieJar): DataView {
  const option = new DataView(new ArrayBuffer(28))
  jar.inspect(option, 4, 8, address, 0, 4, 1000)
  jar.write(option, 0)
  return option
}

function verdictOn(jar: CookieJar, cookie: DataView): number {
  return jar.inspect(cookie, 4, 24, address, 0, 4, 1000)
}

describe('cookie secrets', () => {
  it('from the same file let nameservers accept each other’s cookies', (test) => {
    const file = join(temporaryDirectory(test), 'secret')
    writeFileSync(file, `${first}\n`)
    const cookie = cookieOf(kept(test, file).jar)
    assert.equal(verdictOn(kept(test, file).jar, cookie), CookieVerdict.valid)
  })

  it('change with the file, and stay in use when the file becomes invalid', async (test) => {
    const file = join(temporaryDirectory(test), 'secret')
    writeFileSync(file, `${first}\n`)
    const { jar, log } = kept(test, file)
    const cookie = cookieOf(jar)
    writeFileSync(file, `${second}\n${first.toUpperCase()}\n`)
    await eventually('the file was read again', () => log.lines.some(({ msg }) => msg === 'cookie secrets changed'))
    const renewed = cookieOf(jar)
    assert.deepEqual([verdictOn(jar, cookie), verdictOn(jar, renewed)], [CookieVerdict.valid, CookieVerdict.valid])
    writeFileSync(file, 'no secret\n')
    await eventually('the fault was seen', () => log.lines.some(({ level }) => level === 'error'))
    assert.equal(verdictOn(jar, renewed), CookieVerdict.valid)
    assert.doesNotMatch(JSON.stringify(log.lines), /no secret|e5e973/)
  })

  it('are random without a file, so each nameserver has its own', (test) => {
    const times = { rotateMs: neverMs, watchMs: neverMs }
    const [one, other] = [kept(test, undefined, times).jar, kept(test, undefined, times).jar]
    assert.equal(verdictOn(one, cookieOf(one)), CookieVerdict.valid)
    assert.equal(verdictOn(one, cookieOf(other)), CookieVerdict.invalid)
  })

  it('rotate if they are random, and are no longer accepted after another rotation', async (test) => {
    const { jar } = kept(test, undefined)
    const cookie = cookieOf(jar)
    await eventually('it was renewed', () => Buffer.compare(bytesOf(cookieOf(jar)), bytesOf(cookie)) !== 0)
    await eventually('it was forgotten', () => verdictOn(jar, cookie) === CookieVerdict.invalid)
  })

  it('are accepted until the second rotation after their creation if they are random', (test) => {
    test.mock.timers.enable({ apis: ['setInterval'] })
    const dayMs = usualSecretTimes.rotateMs
    assert.equal(dayMs, 86_400_000)
    const { jar } = kept(test, undefined, usualSecretTimes)
    const { valid, invalid } = CookieVerdict
    const days = [cookieOf(jar)]
    for (let day = 1; day <= 4; day++) {
      test.mock.timers.tick(dayMs - 1)
      const verdictsBefore = days.map((cookie) => verdictOn(jar, cookie))
      assert.deepEqual(verdictsBefore.slice(-2), day === 1 ? [valid] : [valid, valid])
      test.mock.timers.tick(1)
      days.push(cookieOf(jar))
      const verdicts = days.map((cookie) => verdictOn(jar, cookie))
      assert.deepEqual(verdicts, [...Array(day - 1).fill(invalid), valid, valid], `day ${day}`)
      assert.equal(new Set(days.map((cookie) => bytesOf(cookie).join())).size, day + 1, 'each day has its own')
    }
  })

  it('from a file: the first line creates cookies, and the second one is also accepted', (test) => {
    const file = join(temporaryDirectory(test), 'secret')
    const jarWith = (...lines: string[]) => {
      writeFileSync(file, lines.join('\n'))
      return kept(test, file, { rotateMs: neverMs, watchMs: neverMs }).jar
    }
    const { valid, invalid } = CookieVerdict
    const [old, next] = [cookieOf(jarWith(first)), cookieOf(jarWith(second))]
    const verdicts = (...lines: string[]) => {
      const jar = jarWith(...lines)
      return [verdictOn(jar, old), verdictOn(jar, next), bytesOf(cookieOf(jar)).join() === bytesOf(next).join()]
    }
    // Announce the new secret, replace the old one with it, and remove the old one (RFC 9018 §5).
    assert.deepEqual(verdicts(first), [valid, invalid, false])
    assert.deepEqual(verdicts(first, second), [valid, valid, false])
    assert.deepEqual(verdicts(second, first), [valid, valid, true])
    assert.deepEqual(verdicts(second), [invalid, valid, true])
  })

  it('from an invalid file are rejected, and not quoted', (test) => {
    const file = join(temporaryDirectory(test), 'secret')
    for (const text of ['', 'secret', `${first}0`, `${first}\n${second}\n${first}`, `${first} ${second}`]) {
      writeFileSync(file, text)
      assert.throws(
        () => keepCookieSecrets(CookieJar.allocate(), file, keptLog()),
        ({ name, message }: Error) =>
          name === 'StartupFault' && /expected one or two lines/.test(message) && !message.includes(first),
      )
    }
    assert.throws(() => keepCookieSecrets(CookieJar.allocate(), `${file}-not`, keptLog()), /cannot be read/)
  })
})

function bytesOf(view: DataView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}
