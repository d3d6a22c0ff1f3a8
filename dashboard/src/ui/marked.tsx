import { Code } from '@mantine/core'

/** A message of the service. Text between backticks is shown as code, without the backticks. */
export function Marked({ text }: { text: string }) {
  const [plain = '', code, ...rest] = text.split('`', 3)
  if (code === undefined || rest.length === 0) return text
  return (
    <>
      {plain}
      <Code>{code}</Code>
      <Marked text={text.slice(plain.length + code.length + 2)} />
    </>
  )
}
