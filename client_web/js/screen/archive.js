/**
 * A whole tournament as one file, put together from the pages that the server answers.
 *
 * Lives here: fetching and joining. The file is what `kupa tournament export` writes.
 */

/** @typedef {{heats: unknown[], page: number, pages: number, [field: string]: unknown}} Page */

/**
 * @param {(page: number) => Promise<Response>} get
 * @param {(at: number, pages: number) => void} tell how far it is
 * @returns {Promise<Page>} the log of the last page, which is the longest, and all heats
 * @throws {Error} a page cannot be had
 */
export async function collect(get, tell) {
  /** @type {Page | null} */
  let last = null;
  const heats = [];
  for (let at = 1; at <= (last?.pages ?? 1); at += 1) {
    tell(at, last?.pages ?? 1);
    const response = await get(at);
    if (!response.ok) throw new Error(`round ${at}: ${response.status}`);
    last = /** @type {Page} */ (await response.json());
    heats.push(...last.heats);
  }
  if (!last) throw new Error('nothing was asked for');
  return { ...last, heats, page: 1, pages: 1 };
}
