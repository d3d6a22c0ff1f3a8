import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { curlOf } from './curl.ts'

/** The arguments that a shell gives to curl. */
function argumentsOf(command: string): string[] {
  const program = `curl() { printf '%s\\0' "$@"; }\n${command}`
  return execFileSync('sh', ['-c', program], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('a shell passes the request to curl unchanged, whatever its texts contain', () => {
  const hostile = `'; touch /tmp/x; $(id) \`id\` "$HOME" \\ \\' ''' # & | > \n! ~ * [a-z] {1,2} é 💥`
  const url = `https://hooks.example/a?x={1,2}&y=[1-3]&z='$(id)`
  assert.deepEqual(argumentsOf(curlOf({ url, headers: { 'X-A': hostile, 'X-B': '***' }, body: hostile })), [
    ...['--globoff', url, '--header', `X-A: ${hostile}`, '--header', 'X-B: ***', '--data-raw', hostile],
  ])
})
