/** The e-invoice inside a PDF, as Factur-X 1.07 asks for it (https://fnfe-mpe.org/factur-x/). */
import type Pdf from 'pdfkit';

const FILE = 'factur-x.xml';

/**
 * Embeds the XML of an e-invoice, of the profile EN 16931, in a PDF/A-3. It is an alternative of the pages: both say the
 * same. The metadata name the file, and describe their own schema, which PDF/A does not know. [DOCU-15]
 */
export function embedInvoice(pdf: InstanceType<typeof Pdf>, invoice: string, issuedAt: Date): void {
  const options = {
    name: FILE,
    type: 'text/xml',
    relationship: 'Alternative',
    description: 'The content of this document as an e-invoice',
    creationDate: issuedAt,
    modifiedDate: issuedAt,
  };
  pdf.file(Buffer.from(invoice), options);
  pdf.appendXML(METADATA);
}

const PROPERTIES = {
  DocumentType: { value: 'INVOICE', description: 'The type of the hybrid document' },
  DocumentFileName: { value: FILE, description: 'The name of the embedded XML document' },
  Version: { value: '1.0', description: 'The version of the standard of the embedded XML document' },
  ConformanceLevel: { value: 'EN 16931', description: 'The conformance level of the embedded XML document' },
};

const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

const METADATA = `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
${Object.entries(PROPERTIES)
  .map(([name, { value }]) => `<fx:${name}>${value}</fx:${name}>`)
  .join('\n')}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${Object.entries(PROPERTIES)
  .map(
    ([name, { description }]) => `<rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType>
<pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${description}</pdfaProperty:description>
</rdf:li>`,
  )
  .join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
`;
