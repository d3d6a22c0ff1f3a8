import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { paths } from '../util/paths.ts'
import { forgetEdits } from './use-edits.ts'

/** To the sign-in page, once nobody is signed in any more: nothing of the account stays. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate(paths.signIn())
    queryClient.clear()
    forgetEdits()
  }
}
