import punycode from 'punycode.js'
import { toAscii } from './typed-host.ts'

/**
 * A name as people write it: labels that are A-labels become Unicode (RFC 5890 §2.3.2.1). A label that could be taken for another one stays as it is:
 * one that mixes scripts, one whose letters all look like Latin ones, or one with characters other than letters and digits.
 */
export function shownName(name: string): string {
  return name.replace(/(?<![^.\s"“”():,;])xn--[a-z0-9-]+(?![^.\s"“”():,;])/gi, shownLabel)
}

/** Words with a letter of a right-to-left script. */
const rightToLeft =
  /(?<![^\s"“”():,;])[^\s"“”():,;\u2066\u2069]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc][^\s"“”():,;\u2066\u2069]*/g

/**
 * A name, or a text with names, for a place that has no elements, such as a title: names in a right-to-left script do not reorder the text next to
 * them. They are in left-to-right isolates (RFC 3987 §4.1, UAX #9 §2.4). Elements have `Name` or `Names` instead, so that the marks are not copied.
 */
export function isolated(text: string): string {
  return text.replace(rightToLeft, '\u2066$&\u2069')
}

/** The parts of a text, in turn: other words, and a name in a right-to-left script. */
export function partsAroundNames(text: string): string[] {
  return text.split(new RegExp(`(${rightToLeft.source})`))
}

function shownLabel(label: string): string {
  try {
    const shown = punycode.toUnicode(label.toLowerCase())
    return isClear(shown) && toAscii(shown) === label.toLowerCase() ? shown : label
  } catch {
    // It only resembles an A-label.
    return label
  }
}

const plain = /^[\p{L}\p{M}\p{N}-]+$/u
const latinLookAlikes = /^[асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡαικνορτυω\d-]+$/u
const scripts = [
  /^\p{Script_Extensions=Latin}+$/u,
  /^\p{Script_Extensions=Greek}+$/u,
  /^\p{Script_Extensions=Cyrillic}+$/u,
  /^\p{Script_Extensions=Armenian}+$/u,
  /^\p{Script_Extensions=Georgian}+$/u,
  /^\p{Script_Extensions=Hebrew}+$/u,
  /^\p{Script_Extensions=Arabic}+$/u,
  /^\p{Script_Extensions=Ethiopic}+$/u,
  /^\p{Script_Extensions=Devanagari}+$/u,
  /^\p{Script_Extensions=Bengali}+$/u,
  /^\p{Script_Extensions=Tamil}+$/u,
  /^\p{Script_Extensions=Telugu}+$/u,
  /^\p{Script_Extensions=Sinhala}+$/u,
  /^\p{Script_Extensions=Thai}+$/u,
  /^\p{Script_Extensions=Khmer}+$/u,
  /^\p{Script_Extensions=Hangul}+$/u,
  /^[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}]+$/u,
]

function isClear(label: string): boolean {
  // Digits and hyphens belong to every script.
  const letters = label.replace(/[\d-]/g, '')
  return plain.test(label) && !latinLookAlikes.test(label) && scripts.some((script) => script.test(letters))
}
