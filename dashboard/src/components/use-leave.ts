import { useNavigate } from '@tanstack/react-router'
import { queryClient } from '../api/query-client.ts'
import { forgetKept } from '../util/kept-in-tab.ts'
import { paths } from '../util/paths.ts'
import { forgetEdits } from './use-edits.ts'

/** Opens the sign-in page when no one is signed in any longer, and deletes all data of the account. */
export function useLeave(): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    await navigate(paths.signIn())
    queryClient.clear()
    forgetEdits()
    forgetKept()
  }
}
