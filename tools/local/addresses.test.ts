import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { freePort } from './addresses.ts'

test('a port that this process got is not given to another process, even if nothing listens there yet', async () => {
  const port = await freePort()
  // The other process is made to draw this port first.
  const program = `
    import crypto from 'node:crypto'
    import { syncBuiltinESMExports } from 'node:module'
    const { randomInt } = crypto
    let drawn = 0
    crypto.randomInt = (...range) => (drawn++ === 0 ? ${port} : randomInt(...range))
    syncBuiltinESMExports()
    const { freePort } = await import(${JSON.stringify(new URL('./addresses.ts', import.meta.url).href)})
    process.stdout.write(String(await freePort()))
  `
  const other = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  assert.match(other, /^\d+$/)
  assert.notEqual(Number(other), port)
})
