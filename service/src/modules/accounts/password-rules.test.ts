import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonPasswords } from './common-passwords.ts'
import { passwordFault } from './password-rules.ts'

const list = await commonPasswords()
const codeOf = (password: string, email = 'ada@shop.example') => passwordFault(password, email, list)?.code

test('refuses common passwords in any letter case, also with digits and punctuation around them', () => {
  for (const password of [
    'password123',
    'Password123!',
    'qwertyuiop',
    '1234567890',
    '1q2w3e4r5t',
    '2024-Sunshine!',
    'iloveyou2026',
    '!!!!letmein!!!!',
    'passwordpassword',
    'aaaaaaaaaaaa',
    '123123123123',
    '0000000000',
  ])
    assert.equal(codeOf(password), 'PASSWORD_TOO_COMMON', password)
})

test('refuses the address, its parts and the name of the product', () => {
  for (const password of [
    'ada@shop.example',
    'ADA@shop.example1',
    'ada1234567',
    'shop.example',
    'Zonewright',
    'zonewright2026!',
  ])
    assert.equal(codeOf(password), 'PASSWORD_IS_A_NAME', password)
  assert.equal(codeOf('shop-2026-2027'), 'PASSWORD_IS_A_NAME')
})

test('accepts phrases, random texts and other scripts, whatever the address', () => {
  for (const password of [
    'correct horse battery',
    'a phrase that nobody guesses',
    'xK9#mQ2$vL5p',
    'zonewright is not my password',
    'ada likes long walks',
    'пароль для магазина',
    'tr0ub4dor&3-staple',
  ])
    assert.equal(codeOf(password), undefined, password)
  assert.equal(codeOf('0918273645546372'), undefined)
  assert.equal(codeOf('correct horse battery', ''), undefined)
})

test('refuses too short and too long passwords before anything else', () => {
  assert.equal(codeOf('password'), 'PASSWORD_TOO_SHORT')
  assert.equal(codeOf('x'.repeat(129)), 'PASSWORD_TOO_LONG')
})
