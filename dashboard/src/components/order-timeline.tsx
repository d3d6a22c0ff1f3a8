import { Loader, Text } from '@mantine/core'
import { Icon } from '../ui/icons.tsx'
import { When } from '../ui/when.tsx'
import { type OrderOnItsWay, type Step, stepsOf } from '../util/order-words.ts'

const states: Readonly<Record<Step['state'], string>> = {
  done: 'Done',
  now: 'Now',
  ahead: 'Still to come',
  failed: 'Did not work',
}

/** The steps of an order, each with its time and in plain words. */
export function OrderTimeline({ order }: { order: OrderOnItsWay }) {
  return (
    <ol className="timeline" aria-label="Status">
      {stepsOf(order).map((step) => (
        <li key={step.title} className={`step-${step.state}`} {...(step.state === 'now' && { 'aria-current': 'step' })}>
          <span className="step-mark">
            <StepMark state={step.state} />
          </span>
          <div>
            <Text fw={step.state === 'ahead' ? 400 : 600}>
              {step.title} <span className="only-read">({states[step.state]})</span>
              {step.at !== '' && (
                <Text span size="sm" className="quiet" fw={400}>
                  {' '}
                  <When at={step.at} />
                </Text>
              )}
            </Text>
            {step.says !== '' && (
              <Text size="sm" className="breakable">
                {step.says}
              </Text>
            )}
            {step.by !== undefined && (
              <Text size="sm" className="quiet">
                Deadline: <When at={step.by} />
              </Text>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function StepMark({ state }: { state: Step['state'] }) {
  if (state === 'now') return <Loader size={14} aria-hidden="true" />
  if (state === 'done') return <Icon name="check" size={14} />
  return state === 'failed' ? <Icon name="cross" size={14} /> : null
}
