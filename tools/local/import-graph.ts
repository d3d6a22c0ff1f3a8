import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** One import or re-export of a file. */
export interface Import {
  /** The path as it is written. */
  readonly specifier: string
  /** The imported names before `as`; `*` for all of them. */
  readonly names: readonly string[]
  /** It loads nothing when the program runs. */
  readonly isTypeOnly: boolean
}

const statement =
  /^(?:import|export)\s+(type\s+)?((?:[\w$]+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)?)\s*from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

/** The imports and re-exports of a TypeScript file, dynamic ones with a literal path included. */
export function importsOf(source: string): Import[] {
  return [...source.matchAll(statement)].map(([, type, clause = '', from, alone, dynamic]) => ({
    specifier: from ?? alone ?? dynamic ?? '',
    names: dynamic === undefined ? namesIn(clause) : ['*'],
    isTypeOnly: type !== undefined,
  }))
}

function namesIn(clause: string): string[] {
  const [, whole = '', list] = /^([^{]*)(?:\{([^}]*)\})?/.exec(clause) ?? []
  const named = (list ?? '').split(',').map((name) =>
    name
      .trim()
      .replace(/^type\s+/, '')
      .replace(/\s+as\s.*$/s, ''),
  )
  const others = whole.includes('*') ? ['*'] : /[\w$]/.test(whole) ? ['default'] : []
  return [...others, ...named].filter((name) => name !== '')
}

/** The targets of entries of `imports` or `exports`. An object has a target for each condition. */
type Targets = Readonly<Record<string, string | { readonly default: string }>>

interface Package {
  readonly folder: string
  readonly name: string
  readonly imports: Targets
  readonly exports: Targets
}

/** The files of the repository's workspaces, and what each imports. Paths are relative to the root. */
export class ImportGraph {
  readonly #root: string
  readonly #packages: readonly Package[]
  readonly #imports = new Map<string, readonly (Import & { readonly path: string | undefined })[]>()

  constructor(root: string) {
    this.#root = root
    const { workspaces } = readJson(join(root, 'package.json')) as { workspaces: readonly string[] }
    this.#packages = workspaces.map((folder) => packageIn(root, folder))
  }

  /** The files that match a glob, without test files unless they are requested. */
  files(glob: string, { tests = false } = {}): string[] {
    return globSync(glob, { cwd: this.#root })
      .filter((path) => !path.includes('node_modules') && (tests || !/\.test\.tsx?$/.test(path)))
      .sort()
  }

  /** What a file imports. `path`: the imported file; undefined: a package from npm or a part of Node. */
  importsOf(file: string): readonly (Import & { readonly path: string | undefined })[] {
    const known = this.#imports.get(file)
    if (known !== undefined) return known
    const imports = importsOf(readFileSync(join(this.#root, file), 'utf8')).map((each) => ({
      ...each,
      path: this.#pathOf(file, each.specifier),
    }))
    this.#imports.set(file, imports)
    return imports
  }

  /** Every file that is loaded along with one, itself included. `types`: also those that are only imported as types. */
  reachable(file: string, { types = false } = {}): Set<string> {
    const seen = new Set([file])
    for (const each of seen)
      for (const { path, isTypeOnly } of this.importsOf(each))
        if (path !== undefined && (types || !isTypeOnly)) seen.add(path)
    return seen
  }

  /** Files that import each other in a circle, type imports included: each group once. */
  circles(files: readonly string[]): string[][] {
    const inside = new Set(files)
    const next = (file: string) => this.importsOf(file).flatMap(({ path }) => (path && inside.has(path) ? [path] : []))
    return stronglyConnected(files, next).filter((group) => group.length > 1)
  }

  #pathOf(file: string, specifier: string): string | undefined {
    if (specifier.startsWith('.')) return this.#existing(normalize(join(dirname(file), specifier)))
    const own = this.#packages.find(({ folder }) => file.startsWith(`${folder}/`))
    if (specifier.startsWith('#')) return own && this.#existing(mapped(own, own.imports, specifier))
    const other = this.#packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
    return other && this.#existing(mapped(other, other.exports, `.${specifier.slice(other.name.length)}`))
  }

  #existing(path: string | undefined): string | undefined {
    return path !== undefined && existsSync(join(this.#root, path)) ? path : undefined
  }
}

function packageIn(root: string, folder: string): Package {
  const { name, imports = {}, exports = {} } = readJson(join(root, folder, 'package.json')) as Partial<Package>
  return { folder, name: name ?? '', imports, exports: typeof exports === 'string' ? { '.': exports } : exports }
}

/** The target of an entry of `imports` or `exports` of a package.json. */
function mapped({ folder }: Package, entries: Targets, wanted: string): string | undefined {
  for (const [from, to] of Object.entries(entries)) {
    const [before = '', after] = from.split('*')
    if (after === undefined ? wanted === from : wanted.startsWith(before))
      return normalize(
        join(folder, (typeof to === 'string' ? to : to.default).replace('*', wanted.slice(before.length))),
      )
  }
  return undefined
}

/** Tarjan's algorithm, without recursion. */
function stronglyConnected(nodes: readonly string[], next: (node: string) => readonly string[]): string[][] {
  const groups: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  for (const start of nodes) {
    if (index.has(start)) continue
    const path = [{ node: start, rest: [...next(start)] }]
    for (;;) {
      const at = path.at(-1)
      if (at === undefined) break
      const { node } = at
      if (!index.has(node)) {
        low.set(node, index.size)
        index.set(node, index.size)
        open.push(node)
        isOpen.add(node)
      }
      const other = at.rest.pop()
      if (other !== undefined) {
        if (!index.has(other)) path.push({ node: other, rest: [...next(other)] })
        else if (isOpen.has(other)) low.set(node, Math.min(low.get(node) ?? 0, index.get(other) ?? 0))
        continue
      }
      path.pop()
      const above = path.at(-1)
      if (above !== undefined) low.set(above.node, Math.min(low.get(above.node) ?? 0, low.get(node) ?? 0))
      if (low.get(node) !== index.get(node)) continue
      const group = open.splice(open.indexOf(node))
      for (const each of group) isOpen.delete(each)
      groups.push(group.sort())
    }
  }
  return groups
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
