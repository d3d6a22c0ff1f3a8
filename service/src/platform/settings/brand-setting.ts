import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** What people see of the operator on every page: name, logo, color and links. */
export interface BrandSetting {
  readonly name: string
  /** Undefined: the logo of this product. */
  readonly logo: BrandLogo | undefined
  /** `#rrggbb`, of buttons and links; undefined: the colors of this product. */
  readonly color: string | undefined
  readonly links: readonly BrandLink[]
}

export interface BrandLogo {
  readonly type: string
  readonly content: Buffer
}

export interface BrandLink {
  readonly label: string
  readonly url: string
}

const logoTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
}
const maxLogoBytes = 100 * 1024
const maxLinks = 6

export function parseServiceName(text: string): string {
  const name = text.trim()
  if (!/^[^\p{C}<>]{1,40}$/u.test(name)) throw new Error(`${JSON.stringify(text)} is not a name of 1 to 40 characters`)
  return name
}

/** Reads the file of a logo; undefined for no path. */
export function readLogo(path: string): BrandLogo | undefined {
  if (path === '') return undefined
  const type = logoTypes[extname(path).toLowerCase()]
  if (type === undefined) throw new Error(`${path} is not a file with the extension .svg, .png or .webp`)
  const content = readFile(path)
  if (content.length > maxLogoBytes) throw new Error(`${path} is larger than ${maxLogoBytes / 1024} KiB`)
  return { type, content }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** A color on which white text can be read, and which can be read on white (WCAG 2.2 §1.4.3); undefined for an empty text. */
export function parseServiceColor(text: string): string | undefined {
  if (text === '') return undefined
  const color = text.toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new Error(`${JSON.stringify(text)} is not a color, such as #0b6e4f`)
  if (contrast(color, palest) < 4.5) throw new Error(`${color} is too light: white text on it could not be read`)
  return color
}

/** The lightest and the darkest background of the pages. */
const palest = '#f6f8f7'
const darkest = '#1f2124'

/** The same color for text on a dark background, lightened until it can be read there. */
export function onDark(color: string): string {
  for (let share = 0.3; share < 1; share += 0.05) {
    const lighter = mixed(color, '#ffffff', share)
    if (contrast(lighter, darkest) >= 6) return lighter
  }
  return '#ffffff'
}

function mixed(color: string, other: string, share: number): string {
  const [one, two] = [channelsOf(color), channelsOf(other)]
  return `#${one.map((value, i) => hex(value + ((two[i] ?? 0) - value) * share)).join('')}`
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, '0')
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

/** `Status=https://status.example.net, Support=mailto:help@example.net`. */
export function parseServiceLinks(text: string): BrandLink[] {
  const links = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const [, label, url] = /^([^=\p{C}<>]{1,30})=(\S{1,500})$/u.exec(item) ?? []
      if (label === undefined || url === undefined || !/^(?:https?|mailto):$/.test(URL.parse(url)?.protocol ?? ''))
        throw new Error(`${JSON.stringify(item)} is not label=URL, such as Status=https://status.example.net`)
      return { label: label.trim(), url: new URL(url).href }
    })
  if (links.length > maxLinks) throw new Error(`there are ${links.length} links, and at most ${maxLinks} fit`)
  return links
}
