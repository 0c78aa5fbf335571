/** One document, to read and write. */
export function DocumentScreen({ documentId }: { documentId: string }) {
  return <p>{documentId}</p>;
}
