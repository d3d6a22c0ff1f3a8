import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** Fields in one line, followed by the button that sends them. `below` has the content below them. */
export function OneLineForm({
  button,
  below,
  onSend,
  children,
  ...look
}: Pick<ButtonProps, 'variant' | 'loading' | 'disabled'> & {
  button: string
  below?: ReactNode
  onSend: () => void
  children: ReactNode
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      <div className="inline-form">
        {children}
        <Button type="submit" {...look}>
          {button}
        </Button>
      </div>
      {below}
    </form>
  )
}
