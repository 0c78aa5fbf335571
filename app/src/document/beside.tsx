import { type BesideProps, BlockHandle } from "./BlockHandle";
import { Bubble } from "./Bubble";

/** What stands beside the text: the handle of a block, and the tools of a selection. */
export function Beside(props: BesideProps) {
  return (
    <>
      <BlockHandle {...props} />
      <Bubble {...props} />
    </>
  );
}
