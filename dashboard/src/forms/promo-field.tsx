import { Button, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { WireQuote } from '@zonewright/contract'
import { useState } from 'react'
import { queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { sayFailure } from '../util/say-failure.ts'

/** A promo code, which is checked before it takes effect. An invalid code does not change the price, and the reason is shown. */
export function PromoField({
  quote: { kind, name, promo_code: written },
  years,
  value,
  onChange,
}: {
  quote: Pick<WireQuote, 'kind' | 'name' | 'promo_code'>
  years: number
  value: string
  onChange: (code: string) => void
}) {
  const [text, setText] = useState('')
  const attempt = useMutation({
    mutationFn: async () => {
      const code = text.trim()
      await queryClient.fetchQuery({ ...queries.quote({ kind, name, years, promo_code: code }), retry: false })
      return code
    },
    onSuccess: (code) => {
      onChange(code)
      setText('')
    },
  })
  if (value !== '') {
    // In the spelling of the service, as in the price.
    const code = written || value
    return (
      <Group gap="xs">
        <Text size="sm">
          Promo code <b>{code}</b> applied.
        </Text>
        <CloseButton size="sm" aria-label={`Remove the promo code ${code}`} onClick={() => onChange('')} />
      </Group>
    )
  }
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput
        aria-label="Promo code"
        placeholder="Promo code"
        flex="1 1 auto"
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        value={text}
        error={attempt.error ? sayFailure(attempt.error).message : undefined}
        onChange={(event) => {
          setText(event.currentTarget.value)
          attempt.reset()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter checks the code and does not place the order.
          event.preventDefault()
          if (text.trim() !== '') attempt.mutate()
        }}
      />
      <Button
        variant="default"
        disabled={text.trim() === ''}
        loading={attempt.isPending}
        onClick={() => attempt.mutate()}
      >
        Apply
      </Button>
    </Group>
  )
}
