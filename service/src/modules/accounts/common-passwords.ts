import { readFile } from 'node:fs/promises'

let list: Promise<string> | undefined

/**
 * Common passwords in lower case, each between line breaks. The file is read once, when someone first chooses a password.
 *
 * One text takes less memory than a set, and searching it takes less than a millisecond.
 */
export function commonPasswords(): Promise<string> {
  list ??= readFile(new URL('common-passwords.txt', import.meta.url), 'latin1')
  return list
}
