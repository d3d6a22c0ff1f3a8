import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, failedWith, isPassing } from '../api/failure.ts'
import { keys, queries } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { OrderForm } from '../forms/order-form.tsx'
import { Failure, Loaded } from '../ui/feedback.tsx'
import { ButtonLink, TextLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { kindWords } from '../util/order-words.ts'
import { paths } from '../util/paths.ts'
import { sayFailure } from '../util/say-failure.ts'
import { isolated, shownName } from '../util/shown-name.ts'

const kinds = ['register', 'renew', 'transfer'] as const
type Kind = (typeof kinds)[number]

/** One name to register, renew or transfer here: the price, the registrant, and the payment. */
export function NewOrderPage() {
  const { name } = useParams({ from: '/signed-in/buy/$name' })
  const asked = useSearch({ from: '/signed-in/buy/$name' }).kind
  const kind: Kind = kinds.find((one) => one === asked) ?? 'register'
  return <NewOrder key={`${kind} ${name}`} name={name} kind={kind} />
}

function NewOrder({ name, kind }: { name: string; kind: Kind }) {
  const [years, setYears] = useState(1)
  const [promoCode, setPromoCode] = useState('')
  const isRenewal = kind === 'renew'
  const navigate = useNavigate()
  const wish = { kind, name, years, ...(promoCode !== '' && { promo_code: promoCode }) }
  const quote = useQuery(queries.quote(wish))
  // If there is no price for the new selection, the form keeps the last price, so that no input is lost.
  const [last, setLast] = useState(quote.data)
  if (quote.data !== undefined && quote.data !== last) setLast(quote.data)
  const mayPass = isPassing(quote.error) || failedWith(quote.error, 'domain_locked', 'registry_unavailable')
  const periodFault = periodFaultOf(quote.error)
  const noPrice =
    quote.error &&
    (last !== undefined && periodFault !== undefined ? (
      <Text size="sm">Choose a shorter period to see the price.</Text>
    ) : (
      <Failure error={quote.error} {...(mayPass && { retry: () => void quote.refetch() })} />
    ))
  return (
    <Page
      title={`${kindWords[kind].verb} ${isolated(shownName(name))}`}
      within={
        isRenewal ? (
          <TextLink {...paths.domain(name)}>
            <Name>{shownName(name)}</Name>
          </TextLink>
        ) : (
          <TextLink {...paths.buy({ q: name })}>Search</TextLink>
        )
      }
    >
      {last === undefined && noPrice ? (
        <>
          {noPrice}
          {!isRenewal && (
            <ButtonLink variant="default" {...paths.buy({ q: name })} w="fit-content">
              Search for another name
            </ButtonLink>
          )}
        </>
      ) : (
        <Loaded of={{ ...quote, data: last, error: null }} what="Asking the registry">
          {(data) =>
            data.available ? (
              <OrderForm
                quote={data}
                isCurrent={quote.data === data && !quote.isFetching && !quote.error}
                {...(noPrice && { noPrice })}
                periodFault={periodFault}
                years={years}
                onYears={setYears}
                promoCode={promoCode}
                onPromoCode={setPromoCode}
                renewQuote={() => renew(keys.quotes)}
                onOrdered={async (id) => {
                  await renew(keys.orders, keys.credit)
                  await navigate(paths.order(id))
                }}
              />
            ) : (
              <Alert color="orange" variant="light" title={`${isolated(shownName(name))} is taken`}>
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

/** Why the period is not possible, if this is the only reason why there is no price. */
function periodFaultOf(error: unknown): string | undefined {
  const isAboutYears = error instanceof ApiFailure && error.details.some(({ path }) => path === '/years')
  return isAboutYears ? sayFailure(error).message : undefined
}
