import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { failedWith } from '../api/failure.ts'
import { keys, queries } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { OrderForm } from '../forms/order-form.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Page } from '../ui/page.tsx'
import { kindWords } from '../util/order-words.ts'
import { paths } from '../util/paths.ts'
import { shownName } from '../util/shown-name.ts'

const kinds = ['register', 'renew', 'transfer'] as const
type Kind = (typeof kinds)[number]

/** One name to register, renew or bring here: the price, who has it, and how it is paid. */
export function NewOrderPage() {
  const { name } = useParams({ from: '/signed-in/buy/$name' })
  const asked = useSearch({ from: '/signed-in/buy/$name' }).kind
  const kind: Kind = kinds.find((one) => one === asked) ?? 'register'
  const [years, setYears] = useState(1)
  const [promoCode, setPromoCode] = useState('')
  const navigate = useNavigate()
  const wish = { kind, name, years, ...(promoCode !== '' && { promo_code: promoCode }) }
  const quote = useQuery({ ...queries.quote(wish), placeholderData: (before) => before })
  return (
    <Page
      title={`${kindWords[kind].verb} ${shownName(name)}`}
      lead={<TextLink {...paths.buy({ q: name })}>Back to the search</TextLink>}
    >
      {quote.error && !quote.data ? (
        <Refused error={quote.error} name={name} retry={() => void quote.refetch()} />
      ) : (
        <Loaded of={quote} what="Asking the registry">
          {(data) =>
            data.available ? (
              <OrderForm
                quote={data}
                isCurrent={!quote.isPlaceholderData && !quote.isFetching}
                years={years}
                onYears={setYears}
                promoCode={promoCode}
                onPromoCode={setPromoCode}
                renewQuote={() => queryClient.invalidateQueries({ queryKey: ['quote'] })}
                onOrdered={async (id) => {
                  await Promise.all(
                    [keys.orders, keys.credit].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
                  )
                  await navigate(paths.order(id))
                }}
              />
            ) : (
              <Alert color="orange" variant="light" title={`${shownName(name)} is taken`}>
                <ButtonLink size="xs" variant="default" mt="xs" {...paths.newOrder(name, 'transfer')}>
                  It is mine: transfer it here
                </ButtonLink>
              </Alert>
            )
          }
        </Loaded>
      )}
    </Page>
  )
}

function Refused({ error, name, retry }: { error: unknown; name: string; retry: () => void }) {
  const isLocked = failedWith(error, 'domain_locked')
  return (
    <>
      <Failure error={error} {...((isLocked || failedWith(error, 'registry_unavailable')) && { retry })} />
      <ButtonLink variant="default" {...paths.buy({ q: name })} w="fit-content">
        Search for another name
      </ButtonLink>
    </>
  )
}
