import { type BesideProps, BlockHandle } from "./BlockHandle";
import { Bubble } from "./Bubble";
import { TableHandles } from "./TableHandles";

/** What stands beside the text: the handles of a block and of a table, and the tools of a selection. */
export function Beside(props: BesideProps) {
  return (
    <>
      <BlockHandle {...props} />
      <TableHandles editor={props.editor} />
      <Bubble {...props} />
    </>
  );
}
