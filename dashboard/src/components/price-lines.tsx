import { naira } from '../util/money.ts'

/** A price and its deductions, like a bill. Amounts in kobo; lines with zero are omitted. */
export function PriceLines({
  lines,
  total,
}: {
  lines: readonly (readonly [title: string, amountKobo: number])[]
  total: readonly [title: string, amountKobo: number]
}) {
  return (
    <dl className="bill">
      {lines
        .filter(([, amount], i) => i === 0 || amount !== 0)
        .map(([title, amount]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{naira(amount)}</dd>
          </div>
        ))}
      <div className="bill-total">
        <dt>{total[0]}</dt>
        <dd>{naira(total[1])}</dd>
      </div>
    </dl>
  )
}
