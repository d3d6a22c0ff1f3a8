import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostIn } from './host.ts'

test('a host is read as people write it', () => {
  for (const [text, host] of [
    ['www', 'www'],
    [' WWW ', 'www'],
    ['www.example.com', 'www'],
    ['www.example.com.', 'www'],
    ['a.b', 'a.b'],
    ['_acme-challenge.www', 'www'],
    ['_acme-challenge.www.example.com', 'www'],
    ['_acme-challenge', '@'],
    ['@', '@'],
    ['', '@'],
    ['example.com', '@'],
    ['bücher', 'xn--bcher-kva'],
    ['my_host', 'my_host'],
  ] as const)
    assert.deepEqual(hostIn('example.com', text), { host }, text)
})

test('anything else is refused with a reason, and no text with shell metacharacters passes', () => {
  for (const text of [
    '*',
    '*.www',
    '$(id)',
    '`id`',
    "'",
    '"',
    'a b',
    'a;b',
    'a&b',
    'a|b',
    'a\nb',
    'a\\032b',
    'a/b',
    'a=b',
    'a..b',
    '.www',
    'www.example.org.',
    'https://www.example.com/',
    'x'.repeat(64),
    `${'x'.repeat(60)}.`.repeat(5),
  ]) {
    const read = hostIn('example.com', text)
    assert.ok('fault' in read && read.fault !== '', `${text}: ${JSON.stringify(read)}`)
  }
})
