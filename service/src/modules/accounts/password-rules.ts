import { passwordLength } from './auth-rules.ts'

/** Why a new password is refused. The code is better-auth's if better-auth has one. */
export interface PasswordFault {
  readonly code: 'PASSWORD_TOO_SHORT' | 'PASSWORD_TOO_LONG' | 'PASSWORD_TOO_COMMON' | 'PASSWORD_IS_A_NAME'
  readonly message: string
}

/** The name of the product, which every page shows. */
const productName = 'zonewright'

/**
 * The fault of a new password, which attackers must not be able to guess (NIST SP 800-63B §5.1.1.2); undefined: none. Characters around the letters,
 * such as the digits of `password123`, do not make a password better. `commonPasswords`: one per line, each between line breaks.
 */
export function passwordFault(password: string, email: string, commonPasswords: string): PasswordFault | undefined {
  if (password.length < passwordLength.least) return { code: 'PASSWORD_TOO_SHORT', message: 'Password too short' }
  if (password.length > passwordLength.most) return { code: 'PASSWORD_TOO_LONG', message: 'Password too long' }
  const whole = password.toLowerCase()
  const bare = withoutPadding(whole)
  if (namesIn(email.toLowerCase()).some((name) => name !== '' && (whole === name || bare === withoutPadding(name))))
    return {
      code: 'PASSWORD_IS_A_NAME',
      message: 'The password must not be your email address, a part of it, or the name of this service.',
    }
  const isCommon = [whole, bare, repeatedPart(whole)].some(
    (text) => text !== '' && commonPasswords.includes(`\n${text}\n`),
  )
  if (isCommon || repeatedPart(whole).length <= maxRepeatedLength)
    return {
      code: 'PASSWORD_TOO_COMMON',
      message: 'Many people use this password, so attackers try it first. Choose a longer or less usual one.',
    }
  return undefined
}

/** A password that repeats this few characters is a pattern, such as `123123123123`. */
const maxRepeatedLength = 4

function namesIn(email: string): string[] {
  const [local = '', host = ''] = email.split('@')
  return [productName, email, local, host, host.split('.')[0] ?? '']
}

/** A text without the digits and punctuation before its first letter and after its last one. */
function withoutPadding(text: string): string {
  const letters = [...text.matchAll(/\p{L}/gu)]
  const [first, last] = [letters[0], letters.at(-1)]
  return first === undefined || last === undefined ? '' : text.slice(first.index, last.index + last[0].length)
}

/** The shortest part whose repetition is the text; the text itself if it repeats nothing. */
function repeatedPart(text: string): string {
  return text.slice(0, (text + text).indexOf(text, 1))
}
