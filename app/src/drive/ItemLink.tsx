import { Link } from "@tanstack/react-router";
import type { Row } from "../graphql/generated";
import { hrefOf } from "./actions";

type Props = { item: Pick<Row, "id" | "name" | "driveItemType">; className?: string; tabIndex?: number };

/** A link to where an item is shown. */
export function ItemLink({ item, ...rest }: Props) {
  return (
    <Link to={hrefOf(item)} {...rest}>
      {item.name}
    </Link>
  );
}
