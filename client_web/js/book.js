/**
 * The long texts: rules, examples, questions.
 *
 * Lives here: their shape, and fetching them with the boards of the examples. Does not live here:
 * showing them (`views/book.js`), the texts (`lang/pages.*.json`).
 */

/** @import { Example } from './mini.js' */

/** One thing in a section: a paragraph, a list, a table, or names of examples to look at. @typedef {{p?: string, ul?: string[], table?: {head: string[], rows: string[][]}, see?: string[]}} Block */
/** @typedef {{id: string, title: string, blocks: Block[]}} Section */
/** @typedef {{title: string, lead: string, sections: Section[]}} Rules */
/** @typedef {{title: string, lead: string, steps: string[]}} ExampleText one step for each frame */
/** @typedef {{id: string, q: string, a: string[]}} Question */
/** @typedef {{rules: Record<'DS1' | 'SS1', Rules>, examples: Record<string, ExampleText>, faq: Question[]}} Pages */
/** @typedef {{tag: string, pages: Pages, examples: Example[]}} Book in one language */

/**
 * @param {string} tag one of LANGUAGES
 * @param {(file: string) => Promise<Response>} get fetches a file by its path among the client's
 * @returns {Promise<Book>}
 * @throws {Error} when a file cannot be had
 */
export async function loadBook(tag, get) {
  const [pages, examples] = await Promise.all([`lang/pages.${tag}.json`, 'data/examples.json'].map(async (file) => {
    const response = await get(file);
    if (!response.ok) throw new Error(`${file}: ${response.status}`);
    return response.json();
  }));
  return { tag, pages, examples };
}
