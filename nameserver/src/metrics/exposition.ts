/** One value of a family, identified by its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with all its samples at one moment. */
export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  /** One sentence for the reader of the page. */
  readonly help: string
  readonly samples: readonly Sample[]
}

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** The text format of Prometheus, version 0.0.4. */
export function expositionOf(families: readonly Family[]): string {
  return families.map(familyText).join('')
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${valueText(value)}\n`)
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value).replaceAll('"', '\\"')}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
