import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountAddress, accountEmail, emailAddress, optionalEmailAddress, readEmail } from './email-address.ts'

test('the domain of an email address becomes A-labels, and the rest stays as it is', () => {
  for (const [text, address] of [
    ['ada@example.net', 'ada@example.net'],
    ['Ada.L+x_y=z@Example.NET', 'Ada.L+x_y=z@example.net'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@пример。рф', 'a@xn--e1afmkfd.xn--p1ai'],
    ['a@xn--e1afmkfd.xn--p1ai', 'a@xn--e1afmkfd.xn--p1ai'],
    ['a@ｅｘａｍｐｌｅ.com', 'a@example.com'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['!#$%&*/?^`{|}~-@example.com', '!#$%&*/?^`{|}~-@example.com'],
    [`${'x'.repeat(64)}@example.com`, `${'x'.repeat(64)}@example.com`],
    ['a@mail.1and1.com', 'a@mail.1and1.com'],
  ] as const) {
    assert.equal(readEmail(text).address, address, text)
    assert.equal(emailAddress.parse(text), address, text)
    assert.equal(readEmail(address).address, address, 'the one form is read as itself')
  }
})

test('an address that no mail server or registry would accept is refused, with the reason', () => {
  for (const [text, why] of [
    ['', /not an email address/],
    ['ada', /not an email address/],
    ['@example.com', /not an email address/],
    ['äda@example.com', /ASCII/],
    ['ada\u212a@example.com', /ASCII/],
    ['用户@example.com', /ASCII/],
    [`${'x'.repeat(65)}@example.com`, /65 characters. At most 64/],
    ['.ada@example.com', /a dot at either end/],
    ['ada.@example.com', /a dot at either end/],
    ['a..b@example.com', /consecutive dots/],
    ['a b@example.com', /Spaces/],
    [' a@example.com', /Spaces/],
    ['a@example.com\n', /not a domain name/],
    ['a@b@example.com', /not valid/],
    ['"a b"@example.com', /quotes/],
    ['<a>@example.com', /not valid/],
    ['a@', /not a domain name/],
    ['a@example', /not a domain name/],
    ['a@example.com.', /not a domain name/],
    ['a@1.2.3.4', /not a domain name/],
    ['a@[192.0.2.1]', /not a domain name/],
    ['a@example.com:25', /not a domain name/],
    ['a@example.com/x', /not a domain name/],
    ['a@ex%61mple.com', /not a domain name/],
    ['a@ex_ample.com', /not a domain name/],
    ['a@-example.com', /not a domain name/],
    ['a@example-.com', /not a domain name/],
    ['a@exa mple.com', /not a domain name/],
    ['a@example..com', /not a domain name/],
    [`a@${'x'.repeat(64)}.com`, /not a domain name/],
    [`a@${'x.'.repeat(127)}com`, /characters. At most 254/],
    [`${'y'.repeat(60)}@${'ü.'.repeat(25)}com`, /At most 254/],
  ] as const) {
    assert.match(readEmail(text).fault ?? '', why, text)
    assert.ok(!emailAddress.safeParse(text).success, text)
  }
})

test('the address of an account is the same in any letter case, and an optional address can be empty', () => {
  assert.equal(accountEmail.parse('Ada@BÜCHER.example'), 'ada@xn--bcher-kva.example')
  assert.equal(accountAddress('Ada@BÜCHER.example'), 'ada@xn--bcher-kva.example')
  assert.equal(accountAddress('No Address'), 'no address')
  for (const text of ['a@пример.рф', 'a!b@example.com', 'a=b@example.com']) {
    assert.ok(emailAddress.safeParse(text).success, text)
    assert.match(
      accountEmail.safeParse(text).error?.issues[0]?.message ?? '',
      /^Accounts cannot use this address/,
      text,
    )
  }
  assert.equal(accountEmail.safeParse('a b@example.com').error?.issues.length, 1, 'one fault is told once')
  assert.equal(optionalEmailAddress.parse(''), '')
  assert.equal(optionalEmailAddress.parse('a@bücher.example'), 'a@xn--bcher-kva.example')
  assert.ok(!optionalEmailAddress.safeParse('a@').success)
})
